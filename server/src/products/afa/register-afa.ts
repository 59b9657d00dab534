import type { Purchaser } from '../../accounts/caller.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import { hashRequest, type Intake, placeOrders } from '../../orders/intake/place-orders.ts'
import type { Order } from '../../orders/order.ts'
import type { OrderItem } from '../../orders/order-kind.ts'
import { refuseReference } from '../../orders/order-reference.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { newId } from '../../platform/database/new-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { AfaRequest } from './afa.kind.ts'
import { afaRefusals } from './afa.refusals.ts'
import type { AfaRegisterBody } from './afa.schemas.ts'
import { afaEnabled, afaSwitchedOff } from './afa.settings.ts'
import { sealIdentity } from './seal-identity.ts'

export type AfaDeps = {
  readonly db: Db
  readonly intake: Intake
  readonly epoch: Epoch
  readonly settings: Settings
  readonly secretsKeys: SecretsKeys
}

async function makeAfaOrderItem(deps: AfaDeps, purchaser: Purchaser, body: AfaRegisterBody): Promise<OrderItem<AfaRequest>> {
  const orderId = newId()
  const isEnabled = await deps.settings.read(afaEnabled)
  return {
    orderId,
    accountId: purchaser.accountId,
    personId: purchaser.personId,
    kind: 'afa',
    reference: body.reference,
    // The order's id makes the fingerprint unique, so any reuse of the reference is a conflict (decision R7: AFA never
    // replays), and the stored fingerprint reveals nothing of the applicant's data.
    fingerprint: hashRequest([orderId]),
    request: {
      phone: body.phone,
      sealedIdentity: sealIdentity(deps.secretsKeys, orderId, body),
      refusalIfNew: isEnabled ? undefined : afaSwitchedOff,
    },
  }
}

/**
 * Places a registration and debits its fee (contract, POST /afa/register). Refuses a reference that any account has used
 * before, even with the same body.
 * @param shownPrice the fee that the person was shown; absent for a program
 * @throws RefusalError as the contract's error table says; no money has moved, except perhaps with `outcome_unknown`
 */
export async function registerAfa(
  deps: AfaDeps,
  purchaser: Purchaser,
  body: AfaRegisterBody,
  shownPrice?: Pesewas,
): Promise<{ order: Order; balancePesewas: Pesewas }> {
  const refused = refuseReference(body.reference)
  if (refused) throw new RefusalError(refused)
  if (!isAdultInAccra(body.date_of_birth, deps.epoch.databaseNow())) throw new RefusalError(afaRefusals.applicantTooYoung)
  const item = { ...(await makeAfaOrderItem(deps, purchaser, body)), shownPrice }
  const outcome = await placeOrders(deps.intake, purchaser.accountId, [item])
  if ('refusal' in outcome) throw new RefusalError(outcome.refusal)
  const [placement] = outcome.placements
  if (!placement) throw new Error('a registration was placed without an order')
  return { order: placement.order, balancePesewas: pesewas(outcome.balance) }
}

const adultYears = 18

/**
 * True when a person is 18 or older by Accra's calendar, which is UTC all year. A person born on 29 February is 18 on 1 March
 * (decision U6), because the year of the 18th birthday has no 29 February.
 * @param dateOfBirth a calendar day as YYYY-MM-DD
 */
export function isAdultInAccra(dateOfBirth: string, now: Date): boolean {
  const today = now.toISOString().slice(0, 10)
  const year = String(Number(today.slice(0, 4)) - adultYears).padStart(4, '0')
  // Compared as texts, in which 29 February follows 28 February even in a year without that day.
  return dateOfBirth <= `${year}${today.slice(4)}`
}
