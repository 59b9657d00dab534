import type { Static } from 'typebox'
import { ghs, pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import { listVoucherPace } from '../list-voucher-pace.ts'
import type { VoucherTypeView } from './vouchers.desk.schemas.ts'

/** All types by name, with prices, stock and how many days the stock lasts. */
export async function listVoucherTypesAtDesk(db: Db): Promise<Static<typeof VoucherTypeView>[]> {
  const [types, paces] = await Promise.all([
    db.selectFrom('voucher_types').selectAll().orderBy('name').execute(),
    listVoucherPace(db),
  ])
  const paceOf = new Map(paces.map((pace) => [pace.name, pace]))
  return types.map((type) => ({
    type_id: type.id,
    name: type.name,
    price_customer: ghs(pesewas(type.price_customer)),
    price_agent: ghs(pesewas(type.price_agent)),
    price_dealer: ghs(pesewas(type.price_dealer)),
    is_active: type.is_active,
    available_count: type.available_count,
    low_stock_count: type.low_stock_count,
    is_low: paceOf.get(type.name)?.isLow ?? false,
    sold_7_days: paceOf.get(type.name)?.soldInSevenDays ?? 0,
    days_left: paceOf.get(type.name)?.daysLeft ?? null,
  }))
}
