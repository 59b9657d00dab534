import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { listInPieces } from '../../../platform/in-pieces.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { type PackageChange, packageName } from '../stored-packages.ts'
import { type CellValue, differingColumns } from './package-cells.ts'

/** The author of a change of packages, and the name of the change in the operator's log. */
export type PackageAct = {
  readonly actor: string
  /** The action in the words of the command line, such as `packages import`. */
  readonly action: string
  /** Subject of the line in the operator's log. Absent: the price list as a whole. */
  readonly subject?: string
  readonly reason?: string | undefined
  /** The author in the history of a package. Absent: the actor. A worker gives the person who scheduled the change. */
  readonly onBehalfOf?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The operator's log names at most this many packages of one change. The history of packages has all. */
const packagesInLogMax = 100

const side = (changes: readonly PackageChange[], which: 'before' | 'after'): Record<string, Record<string, CellValue> | null> =>
  Object.fromEntries(
    changes.map(({ stored, next }) => [
      packageName(next),
      which === 'before' && stored === undefined
        ? null
        : Object.fromEntries([...differingColumns(stored, next)].map(([column, cell]) => [column, cell[which]])),
    ]),
  )

/** Values before and after the changes, for the operator's log. */
export function describeChanges(changes: readonly PackageChange[]): Readonly<Record<string, unknown>> {
  const named = changes.slice(0, packagesInLogMax)
  return {
    changed: changes.length,
    before: side(named, 'before'),
    after: side(named, 'after'),
    ...(changes.length > named.length && { packages_not_named_here: changes.length - named.length }),
  }
}

/**
 * Writes the changes into the history of each package, and one line into the operator's log, in the transaction of the
 * change.
 */
export async function recordPackageChanges(tx: Tx, changes: readonly PackageChange[], act: PackageAct): Promise<void> {
  const { actor, action, subject = 'packages', reason, onBehalfOf = actor, details } = act
  for await (const piece of listInPieces(changes)) {
    await sql`
      insert into package_changes ${rowsOf(piece, {
        package_id: ['uuid', ({ next }) => next.id],
        actor: ['text', () => onBehalfOf],
        action: ['text', () => action],
        reason: ['text', () => reason ?? null],
        columns: ['jsonb', ({ stored, next }) => JSON.stringify(Object.fromEntries(differingColumns(stored, next)))],
      }).forInsert()}`.execute(tx)
  }
  const because = reason === undefined ? {} : { reason }
  await appendOperatorLog(tx, { actor, action, subject, details: { ...details, ...because, ...describeChanges(changes) } })
}

const changesPerPage = 50

/**
 * Lists the changes of a package, newest first.
 * @param asked.before only changes older than this one: the `next` of the page before
 */
export async function readPackageHistory(db: Db, asked: { readonly packageId: string; readonly before?: number | undefined }) {
  const { packageId, before } = asked
  const rows = await db
    .selectFrom('package_changes')
    .selectAll()
    .where('package_id', '=', packageId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(changesPerPage + 1)
    .execute()
  const changes = rows.slice(0, changesPerPage)
  return { changes, next: rows.length > changesPerPage ? (changes.at(-1)?.id ?? null) : null }
}
