import { sql } from 'kysely'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'

/** There is no such supplier, or the moment lies in the future. */
export class FloatMovementError extends OperatorRequestError {
  override readonly name = 'FloatMovementError'
}

export type FloatMovement = {
  readonly supplier: string
  /** Above 0 was put in, below 0 was taken out. */
  readonly amountPesewas: Pesewas
  readonly note: string
  /** When the float was changed; left out: now. */
  readonly movedAt?: Date
  readonly actor: string
}

/**
 * Records that the operator put money into a float, or took some out. No money moves here: the record explains why the
 * float has changed.
 * @throws FloatMovementError when there is no such supplier, or the moment lies in the future
 */
export async function noteFloatMovement(tx: Tx, movement: FloatMovement): Promise<{ id: string; movedAt: Date }> {
  const { supplier, amountPesewas, note, actor } = movement
  const { rows } = await sql<{ now: Date; is_known: boolean }>`
    select clock_timestamp() as now, exists (select from suppliers where name = ${supplier}) as is_known`.execute(tx)
  const [found] = rows
  if (!found?.is_known) {
    throw new FloatMovementError(`There is no supplier ${JSON.stringify(supplier)}.`, { command: 'See `makola supplier list`.' })
  }
  const movedAt = movement.movedAt ?? found.now
  if (movedAt > found.now) throw new FloatMovementError(`${movedAt.toISOString()} is still to come.`)
  const id = newId()
  await tx
    .insertInto('supplier_float_movements')
    .values({ id, supplier, amount: amountPesewas, note, moved_at: movedAt, noted_by: actor })
    .execute()
  const details = { movement_id: id, amount: amountPesewas, note, at: movedAt.toISOString() }
  await appendOperatorLog(tx, { actor, action: 'supplier float-topup', subject: supplier, details })
  return { id, movedAt }
}
