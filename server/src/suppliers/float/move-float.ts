import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { defineLoosening, type LooseningResult } from '../../guards/loosening.ts'
import { readCreditLimit } from '../../money/money.settings.ts'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import { checkFloatMovement, type FloatMovement, type RecordedMovement, recordFloatMovement } from './record-float-movement.ts'

const MovementRequest = Type.Object({
  id: Type.String(),
  supplier: Type.String(),
  amount: Type.Integer(),
  note: Type.String(),
  movedAt: Type.String(),
})

/**
 * A movement explains a change of the float, so an invented large movement could hide missing money. A large one therefore
 * takes two people.
 */
const moving = defineLoosening({
  name: 'supplier float-topup',
  schema: MovementRequest,
  subjectOf: ({ supplier }) => supplier,
  keyOf: ({ id }) => id,
  describe: ({ supplier, amount }) =>
    `note that ${formatGhs(pesewas(Math.abs(amount)))} was ${amount > 0 ? 'put in at' : 'taken out of'} ${supplier}`,
  async lockAndPreview(tx, { supplier, amount, movedAt }) {
    await checkFloatMovement(tx, { supplier, movedAt: new Date(movedAt) })
    return { before: 'not noted', after: `${formatGhs(pesewas(amount))} on ${showMoment(new Date(movedAt))}` }
  },
  async do(tx, { id, supplier, amount, note, movedAt }, { actor }) {
    await recordFloatMovement(tx, { id, supplier, amountPesewas: pesewas(amount), note, movedAt: new Date(movedAt), actor })
  },
})

export const floatKind = moving.kind

type FloatMovementRequest = Omit<FloatMovement, 'actor'> & {
  readonly person: Person
  readonly isLive: boolean
}

/** A noted movement, or one that waits for a second person. */
export type MovedFloat = RecordedMovement & { readonly loosened: LooseningResult }

/**
 * Notes a movement of money into or out of a float. Above one person's credit limit it takes two people.
 * @throws FloatMovementError as `recordFloatMovement` does
 */
export async function moveFloat(tx: Tx, { person, isLive, ...movement }: FloatMovementRequest): Promise<MovedFloat> {
  const { supplier, amountPesewas, note } = movement
  const limit = await readCreditLimit(tx, 'main', isLive)
  if (Math.abs(amountPesewas) <= limit) {
    return { ...(await recordFloatMovement(tx, { ...movement, actor: person.by })), loosened: { state: 'done' } }
  }
  const now = await checkFloatMovement(tx, movement)
  const id = movement.id ?? newId()
  const known = await findProposed(tx, id)
  if (known?.state === 'done') {
    return { ...(await recordFloatMovement(tx, { ...movement, id, actor: person.by })), loosened: { state: 'done' } }
  }
  // A repeat uses the time of the first request, so that both are equal.
  const movedAt = known?.request.movedAt ?? (movement.movedAt ?? now).toISOString()
  const request = { id, supplier, amount: amountPesewas, note, movedAt }
  const loosened = await moving.ask(tx, { request, reason: note, person })
  return { id, amountPesewas, movedAt: new Date(movedAt), loosened }
}

async function findProposed(tx: Tx, id: string) {
  const { rows } = await sql<{ state: string; request: Static<typeof MovementRequest> }>`
    select state, request from approvals where kind = ${floatKind.name} and key = ${id} order by id desc limit 1`.execute(tx)
  return rows[0]
}
