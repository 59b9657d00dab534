import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { allChains } from '../all-chains.ts'
import type { Chain } from '../platform/chains/chain.ts'
import { describeFinding, verifyChain } from '../platform/chains/verify-chain.ts'
import type { Db } from '../platform/database/database.ts'
import { operatorLogChain } from '../platform/operator-log/operator-log-chain.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import type { PutAwayState } from '../platform/partitions/partitions.tables.ts'
import type { PutAwayMonth } from '../platform/partitions/put-away-months.ts'
import { markRows } from './put-away-rows.ts'
import { openTally, type SealedMonth, tallySealed } from './sealed-marks.ts'
import { type Column, type FileFacts, hashFile, readTableFile } from './table-file.ts'

/** The list of a month's files, kept as `manifest.json` beside them. */
export type Manifest = {
  readonly format: 1
  readonly month: string
  readonly tables: readonly ManifestTable[]
}

export type ManifestTable = FileFacts & {
  readonly table: string
  readonly file: string
  readonly columns: readonly Column[]
  /** The blocks in which the rows were sealed. Null: the table has no chain. */
  readonly sealed: SealedMonth | null
}

export const manifestFile = (folder: string) => join(folder, 'manifest.json')

/** A month that is put away, entirely or in part, with what is known of its files. */
export type ArchivedMonth = PutAwayMonth & {
  readonly state: PutAwayState
  readonly bytes: number | null
  readonly rowCounts: Readonly<Record<string, number>>
  readonly manifestHash: string | null
  readonly writtenAt: Date | null
}

/** The months that are put away, entirely or in part, oldest first. */
export async function listArchivedMonths(db: Db): Promise<ArchivedMonth[]> {
  const { rows } = await sql<ArchivedMonth>`
    select to_char(month, 'YYYY-MM') as month, state, folder, host, bytes, row_counts as "rowCounts",
      manifest_hash as "manifestHash", written_at as "writtenAt",
      first_id_at(month::timestamp at time zone 'UTC') as first,
      first_id_at((month + interval '1 month') at time zone 'UTC') as end
    from put_away_months order by put_away_months.month`.execute(db)
  return rows
}

/** The chain that seals the rows of a table, if any does. */
export const chainOf = (table: string): Chain | undefined => allChains.find(({ name }) => name === table)

const complain = (month: string, message: string) => new OperatorRequestError(`The files of ${month} cannot be used: ${message}`)

/**
 * Reads the manifest of a month and checks that it was not changed: its hash must be in the database and in the operator's log,
 * and the seals of that log since then must be intact.
 * @throws OperatorRequestError when the file is missing or was changed, or when the log does not confirm it
 */
export async function readManifest(db: Db, { month, folder, manifestHash, writtenAt }: ArchivedMonth): Promise<Manifest> {
  if (folder === null || writtenAt === null) throw complain(month, 'they are not written yet.')
  const path = manifestFile(folder)
  const hash = await hashFile(path).catch((error: unknown) => {
    throw complain(month, `${path} cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  })
  if (hash !== manifestHash) throw complain(month, `${path} was changed since it was written.`)
  const line = await sql`
    select from operator_log where action = 'archive' and subject = ${month} and details ->> 'manifest_sha256' = ${hash}`.execute(
    db,
  )
  if (line.rows.length === 0) throw complain(month, 'no line of the operator’s log names them.')
  const from = new Date(writtenAt.getTime() - 60_000)
  const { finding } = await verifyChain(db, operatorLogChain, { from })
  if (finding) throw complain(month, `${describeFinding(operatorLogChain, finding)}.`)
  return JSON.parse(await readFile(path, 'utf8')) as Manifest
}

/** @throws OperatorRequestError for a file that is missing or was changed since it was written */
export async function checkFile(month: string, folder: string, { file, sha256 }: ManifestTable): Promise<void> {
  const path = join(folder, file)
  const hash = await hashFile(path).catch((error: unknown) => {
    throw complain(month, `${path} cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  })
  if (hash !== sha256) throw complain(month, `${path} was changed since it was written.`)
}

/**
 * Proves the files of a month: each has the hash that the manifest names, and its rows are as they were sealed, where its table
 * has a chain.
 * @throws OperatorRequestError naming the first file that is not as it was
 */
export async function verifyMonthFiles(
  db: Db,
  archived: ArchivedMonth,
  onProgress?: (rows: number) => void,
): Promise<{ readonly rows: number }> {
  const { month, folder } = archived
  const { tables } = await readManifest(db, archived)
  let seen = 0
  for (const table of tables) {
    await checkFile(month, folder ?? '', table)
    const chain = chainOf(table.table)
    if (!chain || !table.sealed) continue
    const tally = openTally()
    for await (const rows of readTableFile(join(folder ?? '', table.file), table.columns)) {
      tally.add(await markRows(db, table.columns, rows, { chain, form: table.sealed.form }))
      seen += rows.length
      onProgress?.(seen)
    }
    const sealed = await tallySealed(db, chain, archived, table.sealed)
    if (JSON.stringify(tally.read()) !== JSON.stringify({ count: sealed.count, sum: sealed.sum })) {
      throw complain(month, `the rows of ${table.file} are not as they were sealed.`)
    }
  }
  return { rows: tables.reduce((sum, { rows }) => sum + rows, 0) }
}

/**
 * Finds the first file of a month that is missing from its folder, or has another size than when it was written; the manifest
 * also when it was changed. Undefined: all are there. `verifyMonthFiles` checks the contents of the others.
 */
export async function findMissingFile(folder: string, manifestHash: string | null): Promise<string | undefined> {
  const manifest = manifestFile(folder)
  if ((await hashFile(manifest).catch(() => undefined)) !== manifestHash) return manifest
  for (const { file, bytes } of (JSON.parse(await readFile(manifest, 'utf8')) as Manifest).tables) {
    const path = join(folder, file)
    const found = await stat(path).catch(() => undefined)
    if (found?.size !== bytes) return path
  }
  return undefined
}
