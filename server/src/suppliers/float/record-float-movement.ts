import { sql } from 'kysely'
import { formatGhs, type Pesewas } from '../../money/pesewas.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { showMoment } from '../../platform/texts-for-people.ts'

/** The supplier does not exist, the time lies in the future, or another movement has this id. */
export class FloatMovementError extends OperatorRequestError {
  override readonly name = 'FloatMovementError'
}

export type FloatMovement = {
  /** The movement's id. A caller that sets it can repeat the call without noting the movement twice. Absent: a new id. */
  readonly id?: string
  readonly supplier: string
  /** Above 0: put in. Below 0: taken out. */
  readonly amountPesewas: Pesewas
  readonly note: string
  /** When the float changed; now by default. */
  readonly movedAt?: Date
  readonly actor: string
}

export type RecordedMovement = { readonly id: string; readonly amountPesewas: Pesewas; readonly movedAt: Date }

/**
 * Finds the movement that was noted under an id.
 * @throws FloatMovementError when that was another movement
 */
async function readRecordedMovement(
  tx: Tx,
  id: string,
  { supplier, amountPesewas, note }: FloatMovement,
): Promise<RecordedMovement> {
  const known = await tx
    .selectFrom('supplier_float_movements')
    .select(['supplier', 'amount', 'note', 'moved_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (known.supplier !== supplier || known.amount !== amountPesewas || known.note !== note) {
    throw new FloatMovementError('Another movement was noted with this reference. Nothing was noted now.')
  }
  return { id, amountPesewas, movedAt: known.moved_at }
}

/**
 * Checks that a movement can be noted.
 * @returns the present time by the database's clock
 * @throws FloatMovementError when there is no such supplier, or the time lies in the future
 */
export async function checkFloatMovement(
  tx: Tx,
  { supplier, movedAt }: Pick<FloatMovement, 'supplier' | 'movedAt'>,
): Promise<Date> {
  const { rows } = await sql<{ now: Date; is_known: boolean }>`
    select clock_timestamp() as now, exists (select from suppliers where name = ${supplier}) as is_known`.execute(tx)
  const [found] = rows
  if (!found?.is_known) {
    throw new FloatMovementError(`There is no supplier ${JSON.stringify(supplier)}.`, { command: 'See `makola supplier list`.' })
  }
  if (movedAt && movedAt > found.now) throw new FloatMovementError(`${showMoment(movedAt)} is still to come.`)
  return found.now
}

/**
 * Records that the operator put money into a float, or took some out. Moves no money here: the record explains why the float
 * has changed.
 * @throws FloatMovementError when there is no such supplier, the time lies in the future, or another movement was noted
 *   under this id
 */
export async function recordFloatMovement(tx: Tx, movement: FloatMovement): Promise<RecordedMovement> {
  const { supplier, amountPesewas, note, actor } = movement
  const now = await checkFloatMovement(tx, movement)
  const movedAt = movement.movedAt ?? now
  const id = movement.id ?? newId()
  const written = await tx
    .insertInto('supplier_float_movements')
    .values({ id, supplier, amount: amountPesewas, note, moved_at: movedAt, noted_by: actor })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!written) return readRecordedMovement(tx, id, movement)
  const details = { movement_id: id, amount: formatGhs(amountPesewas), note, at: movedAt.toISOString() }
  await appendOperatorLog(tx, { actor, action: 'supplier float-topup', subject: supplier, details })
  return { id, amountPesewas, movedAt }
}
