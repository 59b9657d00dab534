import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { rowsOf } from '../database/rows-of.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import {
  currentSealPrefix,
  hashSecret,
  type SecretColumn,
  SecretUnreadableError,
  sealSecret,
  unsealSecret,
} from './seal-secret.ts'
import type { SecretsKeys } from './secrets-keys.ts'

/**
 * A column of sealed texts, declared by the folder of its table. One column identifies a row, and its value is the `rowId` of
 * the secret's place.
 */
export type SealedColumn = SecretColumn & {
  readonly idColumn: string
  readonly idType: 'uuid' | 'text'
  /** The column of the keyed hash of the same text, where equal texts must be found. */
  readonly hashColumn?: string
  /** The column for which the texts were sealed, if they were moved here from another column. */
  readonly sealedFor?: SecretColumn
}

/** How many rows one short transaction locks at most: purchases that need one of them wait a few milliseconds. */
const batchRows = 500

export type RotatedColumn = SecretColumn & {
  /** How many texts were sealed again with the current key. */
  readonly resealed: number
  /** How many texts none of the given keys can unseal. They were not changed. */
  readonly unreadable: number
}

type SealedRow = { row_id: string; ciphertext: string }
type ResealedRow = { rowId: string; ciphertext: string; hash: Buffer }

/** Locks the next rows after `after` whose text another key sealed, so that no change made meanwhile is overwritten. */
async function lockOldRows(tx: Tx, keys: SecretsKeys, from: SealedColumn, after: string | undefined): Promise<SealedRow[]> {
  const id = sql.ref(from.idColumn)
  const isBehind = after === undefined ? sql`true` : sql`${id} > ${after}::${sql.raw(from.idType)}`
  const { rows } = await sql<SealedRow>`
    select ${id}::text as row_id, ${sql.ref(from.column)} as ciphertext
    from ${sql.table(from.table)}
    where ${isBehind} and ${sql.ref(from.column)} not like ${`${currentSealPrefix(keys)}%`}
    order by ${id} limit ${batchRows} for no key update`.execute(tx)
  return rows
}

function reseal(keys: SecretsKeys, from: SealedColumn, row: SealedRow): ResealedRow | undefined {
  const { table, column } = from.sealedFor ?? from
  const place = { table, column, rowId: row.row_id }
  try {
    const plaintext = unsealSecret(keys, row.ciphertext, place)
    return { rowId: row.row_id, ciphertext: sealSecret(keys, plaintext, place), hash: hashSecret(keys, plaintext, place) }
  } catch (error) {
    if (error instanceof SecretUnreadableError) return undefined
    throw error
  }
}

async function writeResealed(tx: Tx, from: SealedColumn, rows: readonly ResealedRow[]): Promise<void> {
  const setHash = from.hashColumn === undefined ? sql`` : sql`, ${sql.ref(from.hashColumn)} = decode(resealed.hash, 'hex')`
  await sql`
    update ${sql.table(from.table)} set ${sql.ref(from.column)} = resealed.ciphertext ${setHash}
    from ${rowsOf(rows, {
      row_id: [from.idType, (row) => row.rowId],
      ciphertext: ['text', (row) => row.ciphertext],
      hash: ['text', (row) => row.hash.toString('hex')],
    }).as('resealed')}
    where ${sql.ref(`${from.table}.${from.idColumn}`)} = resealed.row_id`.execute(tx)
}

async function rotateColumn(
  db: Db,
  keys: SecretsKeys,
  from: SealedColumn,
  onProgress: (resealed: number) => void,
): Promise<RotatedColumn> {
  let after: string | undefined
  let resealed = 0
  let unreadable = 0
  for (;;) {
    const locked = await inTransaction(db, async (tx) => {
      const rows = await lockOldRows(tx, keys, from, after)
      const done = rows.flatMap((row) => reseal(keys, from, row) ?? [])
      if (done.length > 0) await writeResealed(tx, from, done)
      return { lastId: rows.at(-1)?.row_id, rowCount: rows.length, doneCount: done.length }
    })
    resealed += locked.doneCount
    unreadable += locked.rowCount - locked.doneCount
    if (locked.rowCount > 0) onProgress(locked.doneCount)
    if (locked.rowCount < batchRows) return { table: from.table, column: from.column, resealed, unreadable }
    after = locked.lastId
  }
}

/** Counts the texts that the current key has not sealed. */
export async function countOldSecrets(db: Db, keys: SecretsKeys, columns: readonly SealedColumn[]): Promise<number> {
  let count = 0
  for (const { table, column } of columns) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)}
      where ${sql.ref(column)} not like ${`${currentSealPrefix(keys)}%`}`.execute(db)
    count += rows[0]?.count ?? 0
  }
  return count
}

/**
 * Seals every secret of an older key again with the current key, column by column, a few hundred rows at a time, while
 * everything else goes on. It may be stopped at any moment and run again. When no secret of an older key is left, the older
 * keys' rows in `secret_canaries` are deleted: a process must unseal those rows at its start, so from then on it starts without
 * the older keys.
 * @param options.onProgress gets the number of rows done so far
 */
export async function rotateSecrets(
  db: Db,
  keys: SecretsKeys,
  columns: readonly SealedColumn[],
  options: { readonly actor: string; readonly onProgress?: (resealed: number) => void },
): Promise<{ columns: RotatedColumn[]; left: number }> {
  const rotated: RotatedColumn[] = []
  let done = 0
  const onProgress = (resealed: number) => {
    done += resealed
    options.onProgress?.(done)
  }
  for (const column of columns) rotated.push(await rotateColumn(db, keys, column, onProgress))
  const left = await countOldSecrets(db, keys, columns)
  await inTransaction(db, async (tx) => {
    if (left === 0) await tx.deleteFrom('secret_canaries').where('key_id', '<>', keys.current.id).execute()
    await appendOperatorLog(tx, {
      actor: options.actor,
      action: 'secrets rotate',
      subject: keys.current.id,
      details: { resealed: done, left },
    })
  })
  return { columns: rotated, left }
}
