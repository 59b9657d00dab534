import Type, { type Static } from 'typebox'
import { type CommissionPlan, commissionTerms, readCommissionPlan } from '../../money/commission-plan.ts'
import { CommissionTerms } from '../../money/commission-terms.ts'
import type { Pesewas } from '../../money/pesewas.ts'
import { createDetailsReader } from '../../orders/create-details-reader.ts'
import type { AccountFacts, OrderKind } from '../../orders/order-kind.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import { OneOf } from '../../platform/http/schemas.ts'
import { type AirtimeNetwork, airtimeNetworks } from './airtime.schemas.ts'

/** Requested airtime, with the facts that this process knew when the request came. */
export type AirtimeRequest = {
  readonly network: AirtimeNetwork
  /** 10 digits starting with 0. */
  readonly recipient: string
  readonly amountPesewas: Pesewas
  /** The rates and shares that this process has cached. If they have changed, they are read again under the lock. */
  readonly plan: CommissionPlan
  /** The refusal of the switch, the prefix table or the bounds, if any. It does not apply to a replay. */
  readonly refusalIfNew: Refusal | undefined
  /** The route on which the order would start. Undefined: there is none for the network. */
  readonly route: string | undefined
}

const AirtimeDetails = Type.Object({ network: OneOf(airtimeNetworks), commission: CommissionTerms })

type AirtimeDetails = Static<typeof AirtimeDetails>

export const readAirtimeDetails = createDetailsReader('airtime', AirtimeDetails)

/** The present commission plan, read only when an item was prepared with an older one. */
type AirtimeRead = { readonly fresh: CommissionPlan | undefined }

/** Only lifetime agents and dealers earn on airtime (decision S5). */
function earningRole(account: AccountFacts): string | undefined {
  return account.isPermanent && account.pricingRole !== 'customer' ? account.pricingRole : undefined
}

/** Airtime, as the intake sees it: the price is the amount that the recipient receives. */
export const airtimeKind: OrderKind<AirtimeRequest, AirtimeRead> = {
  name: 'airtime',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  fromMemory: {
    suffices: ({ request }, catalogueVersion) => request.plan.version === catalogueVersion,
    read: () => ({ fresh: undefined }),
  },
  async read(tx, items, catalogueVersion) {
    const isStale = items.some((item) => item.request.plan.version !== catalogueVersion)
    return { fresh: isStale ? await readCommissionPlan(tx) : undefined }
  },
  decide({ request }, { account }, { fresh }) {
    if (request.refusalIfNew) return { refusal: request.refusalIfNew }
    if (request.route === undefined) return { refusal: refusals.networkUnavailable(`${request.network} airtime`) }
    const commission = commissionTerms(fresh ?? request.plan, 'airtime', request.network, earningRole(account))
    const details: AirtimeDetails = { network: request.network, commission }
    return {
      status: 'pending',
      price: request.amountPesewas,
      recipient: request.recipient,
      route: request.route,
      details,
    }
  },
  fork: (read) => read,
  take: () => undefined,
  write: () => Promise.resolve(),
}
