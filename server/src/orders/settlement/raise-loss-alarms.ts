import { formatGhs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import { type Alarm, raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Tx } from '../../platform/database/database.ts'

/** The alarm that something was sold below its cost. Its subject is what was sold and the supplier. */
export const belowCostAlarm = 'sold_below_cost'

/** The alarm that a supplier charged more than our list shows. Its subject is what was sold and the supplier. */
export const aboveListAlarm = 'cost_above_list'

/** The charge that a supplier reported for an order that it took. */
export type ReportedSale = {
  readonly reference: string
  /** What was sold, such as `MTN 1GB`, `airtime MTN` or `bill ecg`. */
  readonly title: string
  readonly supplier: string
  readonly pricePesewas: Pesewas
  readonly expectedCostPesewas: Pesewas | null
  /** The supplier's charge, less the commission that it pays us for the order. */
  readonly costPesewas: Pesewas
}

/** Finds the alarm that a sale needs: its cost is above its price, or else above our list. */
export function findLoss(sale: ReportedSale): Alarm | undefined {
  const { reference, title, supplier, pricePesewas, expectedCostPesewas, costPesewas } = sale
  const subject = `${title} ${supplier}`
  const listed = expectedCostPesewas === null ? '' : `, where our list says ${formatGhs(expectedCostPesewas)}`
  const charged = `${supplier} charged ${formatGhs(costPesewas)} for ${title}${listed}`
  if (costPesewas > pricePesewas) {
    const loss = formatGhs(pesewas(costPesewas - pricePesewas))
    const message = `${charged}; it was sold for ${formatGhs(pricePesewas)}, a loss of ${loss} (order ${reference}).`
    const command = 'Correct the prices or the offer with `makola packages import`.'
    return { name: belowCostAlarm, subject, message, command }
  }
  if (expectedCostPesewas === null || costPesewas <= expectedCostPesewas) return undefined
  const more = formatGhs(pesewas(costPesewas - expectedCostPesewas))
  const message = `${charged}: ${more} more (order ${reference}).`
  return { name: aboveListAlarm, subject, message, command: 'Correct the cost with `makola packages import`.' }
}

/** Raises the alarms about sales that lost money, or cost more than was expected, in the transaction that records them. */
export async function raiseLossAlarms(tx: Tx, sales: readonly ReportedSale[]): Promise<void> {
  await raiseAlarms(
    tx,
    sales.flatMap((sale) => findLoss(sale) ?? []),
  )
}
