import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'

/** A request about a difference that cannot be carried out. The message gives the reason. */
export class DifferenceError extends OperatorRequestError {
  override readonly name = 'DifferenceError'
}

type Locked = { supplier: string; kind: string; reference: string; assigned_to: string | null; closed_by: string | null }

/**
 * Locks an open difference.
 *
 * @throws DifferenceError when there is no such difference, or it is closed
 */
async function lockOpen(tx: Tx, id: string): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select supplier, kind, reference, assigned_to, closed_by
    from reconciliation_differences where id = ${id} for update`.execute(tx)
  const [difference] = rows
  if (!difference) throw new DifferenceError(`There is no difference ${id}.`, { command: 'See `makola reconcile differences`.' })
  if (difference.closed_by !== null) throw new DifferenceError(`It was closed by ${difference.closed_by} already.`)
  return difference
}

/**
 * Assigns an open difference to a person.
 * @throws DifferenceError when there is no such difference, or it is closed
 */
export async function assignDifference(tx: Tx, request: { id: string; to: string; by: string }): Promise<void> {
  const { supplier, kind, reference, assigned_to: from } = await lockOpen(tx, request.id)
  await tx.updateTable('reconciliation_differences').set({ assigned_to: request.to }).where('id', '=', request.id).execute()
  const details = { supplier, kind, reference, before: { assigned_to: from }, after: { assigned_to: request.to } }
  await appendOperatorLog(tx, { actor: request.by, action: 'reconcile assign', subject: request.id, details })
}

/**
 * Closes a difference that a person has explained. It stays closed even when a later statement repeats it.
 * @throws DifferenceError when there is no such difference, or it is closed
 */
export async function closeDifference(tx: Tx, request: { id: string; reason: string; by: string }): Promise<void> {
  const { supplier, kind, reference } = await lockOpen(tx, request.id)
  await sql`
    update reconciliation_differences
    set closed_at = clock_timestamp(), closed_by = ${request.by}, close_reason = ${request.reason}
    where id = ${request.id}`.execute(tx)
  const states = { before: { state: 'open' }, after: { state: 'closed' } }
  const details = { supplier, kind, reference, reason: request.reason, ...states }
  await appendOperatorLog(tx, { actor: request.by, action: 'reconcile close', subject: request.id, details })
}
