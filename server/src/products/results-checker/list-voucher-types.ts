import { type Purchaser, pricingRole } from '../../accounts/caller.ts'
import { ghs, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'

/**
 * Lists the voucher types at the purchaser's prices with their present stock (contract, GET /resultschecker/types), inactive
 * ones too.
 */
export async function listVoucherTypes(deps: { readonly db: Db; readonly epoch: Epoch }, purchaser: Purchaser) {
  const rows = await deps.db.selectFrom('voucher_types').selectAll().orderBy('name').execute()
  const role = pricingRole(purchaser.role, purchaser.roleExpiresAt, deps.epoch.databaseNow())
  return {
    types: rows.map((row) => ({
      type_id: row.id,
      name: row.name,
      price: ghs(pesewas({ customer: row.price_customer, agent: row.price_agent, dealer: row.price_dealer }[role])),
      available_count: row.available_count,
      is_active: row.is_active,
    })),
  }
}

export async function listVoucherPrices(db: Db) {
  const rows = await db.selectFrom('voucher_types').selectAll().orderBy('name').execute()
  return rows.map(({ name, price_customer: customer, price_agent: agent, price_dealer: dealer }) => ({
    name,
    prices: { customer: pesewas(customer), agent: pesewas(agent), dealer: pesewas(dealer) },
  }))
}
