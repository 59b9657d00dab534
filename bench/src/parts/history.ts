import { sql } from 'kysely'
import type { Bench } from '../bench-ground.ts'
import { purchases } from '../load/requests.ts'
import { asking, type Measured, measureInTurn } from '../measure/measure-in-turn.ts'
import { atLeast, rates } from '../report/make-ratio.ts'
import { storeOrders } from '../store-orders.ts'
import type { Part } from './part.ts'

async function countOrders(bench: Bench): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from orders`.execute(bench.db)
  return rows[0]?.count ?? 0
}

async function measurePurchases(bench: Bench): Promise<Measured> {
  const server = await bench.server('candidate')
  const results = await measureInTurn(bench, [{ name: 'purchase', ...asking(server, purchases(bench.accounts)) }])
  return results.of('purchase')
}

/** Purchases before and after many orders were stored. */
export const historyPart: Part = {
  name: 'history',
  measures: 'purchases beside many stored orders',
  async run(bench) {
    const { stored } = bench.options
    const [countBefore, before] = [await countOrders(bench), await measurePurchases(bench)]
    await storeOrders(bench.db, stored, (done) => bench.say(`  ${done} orders of history stored`))
    const [countAfter, after] = [await countOrders(bench), await measurePurchases(bench)]
    const name = `purchase, with ${stored.toLocaleString('en-US')} stored orders`
    return {
      ratios: [
        atLeast(
          `with ${stored.toLocaleString('en-US')} orders more ÷ before`,
          after.perSecond / before.perSecond,
          0.9,
          rates(after.perSecond, before.perSecond),
        ),
      ],
      costs: [
        { name: 'purchase, before', perSecond: before.perSecond, costs: before.costs },
        { name, perSecond: after.perSecond, costs: after.costs },
      ],
      plots: [
        {
          title: 'Throughput against stored orders',
          xLabel: 'orders stored',
          yLabel: 'purchases per second',
          series: [
            {
              name: 'purchase',
              points: [
                [countBefore, before.perSecond],
                [countAfter, after.perSecond],
              ],
            },
          ],
        },
      ],
    }
  },
}
