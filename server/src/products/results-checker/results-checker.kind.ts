import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Role } from '../../accounts/caller.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import { queueCourtesyNotices } from '../../notices/queue-notices.ts'
import { createDetailsReader } from '../../orders/create-details-reader.ts'
import type { OrderItem, OrderKind } from '../../orders/order-kind.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { claimVouchers } from './claim-vouchers.ts'
import { voucherRefusals } from './results-checker.refusals.ts'
import { unsealVouchers } from './unseal-vouchers.ts'

/** Requested vouchers, with the facts that this process knew when the request came. */
export type VoucherRequest = {
  readonly typeId: string
  readonly quantity: number
  readonly recipientPhone: string | undefined
  readonly recipientEmail: string | undefined
  /** The refusal of the switch or the largest quantity, if any. It does not apply to a replay. */
  readonly refusalIfNew: Refusal | undefined
}

const VoucherDetails = Type.Object({
  typeId: Type.String(),
  typeName: Type.String(),
  quantity: Type.Integer(),
  unitPricePesewas: Type.Integer(),
  recipientPhone: Type.Optional(Type.String()),
  recipientEmail: Type.Optional(Type.String()),
})

type VoucherDetails = Static<typeof VoucherDetails>

export const readVoucherDetails = createDetailsReader('results_checker', VoucherDetails)

type LockedType = {
  readonly name: string
  readonly pricePesewas: Readonly<Record<Role, Pesewas>>
  readonly isActive: boolean
  readonly availableCount: number
}

/** The voucher types that a batch of orders buys, by id. Their rows are locked. */
type VoucherRead = Map<string, LockedType>

async function lockTypes(tx: Tx, items: readonly OrderItem<VoucherRequest>[]): Promise<VoucherRead> {
  const typeIds = [...new Set(items.map((item) => item.request.typeId))]
  // Not `for update`: an import that adds vouchers locks the row by its foreign key, and buyers must not wait for it.
  const { rows } = await sql<{
    id: string
    name: string
    price_customer: number
    price_agent: number
    price_dealer: number
    is_active: boolean
    available_count: number
  }>`
    select id, name, price_customer, price_agent, price_dealer, is_active, available_count
    from voucher_types where id = any(${typeIds}::uuid[]) order by id for no key update`.execute(tx)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        name: row.name,
        pricePesewas: {
          customer: pesewas(row.price_customer),
          agent: pesewas(row.price_agent),
          dealer: pesewas(row.price_dealer),
        },
        isActive: row.is_active,
        availableCount: row.available_count,
      },
    ]),
  )
}

/** Facts for code without secret keys; `createResultsCheckerKind` needs keys. */
export const resultsCheckerFacts = { name: 'results_checker', unit: 'pesewas' } as const

/**
 * Results-checker vouchers, as the intake sees them: sold from our own stock and delivered by the purchase itself. Unseals
 * each voucher before the commit, so that nobody pays for one that cannot be read.
 */
export function createResultsCheckerKind(secretsKeys: SecretsKeys): OrderKind<VoucherRequest, VoucherRead> {
  return {
    ...resultsCheckerFacts,
    insufficientFunds: refusals.insufficientFunds,
    read: lockTypes,
    decide({ request }, { account }, types) {
      if (request.refusalIfNew) return { refusal: request.refusalIfNew }
      const type = types.get(request.typeId)
      if (!type?.isActive) return { refusal: voucherRefusals.voucherTypeNotFound }
      if (request.quantity > type.availableCount) return { refusal: voucherRefusals.voucherStockShort(type.availableCount) }
      const unitPricePesewas = type.pricePesewas[account.pricingRole]
      const details: VoucherDetails = {
        typeId: request.typeId,
        typeName: type.name,
        quantity: request.quantity,
        unitPricePesewas,
        ...(request.recipientPhone === undefined ? {} : { recipientPhone: request.recipientPhone }),
        ...(request.recipientEmail === undefined ? {} : { recipientEmail: request.recipientEmail }),
      }
      return {
        status: 'completed',
        price: pesewas(unitPricePesewas * request.quantity),
        recipient: request.recipientPhone ?? request.recipientEmail ?? '',
        details,
      }
    },
    fork: (types) => new Map(types),
    take({ request }, types) {
      const type = types.get(request.typeId)
      if (type) types.set(request.typeId, { ...type, availableCount: type.availableCount - request.quantity })
    },
    async write(tx, accepted) {
      const claims = accepted.map(({ orderId, request }) => ({ orderId, typeId: request.typeId, quantity: request.quantity }))
      await unsealVouchers(secretsKeys, await claimVouchers(tx, claims))
      await queueCourtesyNotices(
        tx,
        accepted.flatMap(({ orderId, request }) => [
          ...(request.recipientPhone === undefined ? [] : [{ orderId, channel: 'sms' as const }]),
          ...(request.recipientEmail === undefined ? [] : [{ orderId, channel: 'email' as const }]),
        ]),
      )
    },
  }
}
