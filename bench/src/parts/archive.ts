import { listStoredMonths, measureArchive } from '../measure/measure-archive.ts'
import { countDailySums, proveHistory } from '../measure/prove-history.ts'
import { storeOrders } from '../store-orders.ts'
import type { Part } from './part.ts'

/** Any month that is over, and in which no other part stores orders. */
const month = { firstAt: Date.UTC(2022, 0, 1), endsAt: Date.UTC(2022, 1, 1) }

/** Puts away one month with all the stored orders, so that a month of millions can be measured without years beside it. */
export const archivePart: Part = {
  name: 'archive',
  measures: 'putting away one month with all the stored orders, and what purchases feel meanwhile',
  isForFullRunOnly: true,
  async run(bench) {
    const { stored } = bench.options
    const times = { firstAt: month.firstAt, apartMilliseconds: (month.endsAt - month.firstAt) / stored }
    await storeOrders(bench.db, stored, (done) => bench.say(`  ${done} of ${stored} orders of a month stored`), times)
    await countDailySums(bench)
    await proveHistory(bench)
    const [oldest] = await listStoredMonths(bench.db)
    const { ratio, seconds, orders } = await measureArchive(bench, oldest)
    return {
      ratios: [ratio],
      figures: {
        'month put away, orders': orders,
        'month put away, s': seconds,
        'month put away, ms an order': (seconds * 1_000) / orders,
      },
    }
  },
}
