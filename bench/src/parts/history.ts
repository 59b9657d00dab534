import { purchases } from '../load/requests.ts'
import { createLoad, measureInTurn } from '../measure/measure-in-turn.ts'
import { openEmptyShop } from '../open-empty-shop.ts'
import { atLeast, rates } from '../report/make-ratio.ts'
import { storeOrders } from '../store-orders.ts'
import type { Part } from './part.ts'

const [withStored, without] = ['purchase, with stored orders', 'purchase, without']

/** Purchases beside many stored orders and, in turn, in a database without them. */
export const historyPart: Part = {
  name: 'history',
  measures: 'purchases beside many stored orders',
  isForFullRunOnly: true,
  async run(bench) {
    const { stored } = bench.options
    await storeOrders(bench.db, stored, (done) => bench.say(`  ${done} orders of history stored`))
    const candidate = await bench.server('candidate')
    const empty = await openEmptyShop(bench)
    const { of, ratioOf, costs } = await measureInTurn(bench, [
      { name: without, ...createLoad(empty.server, purchases(empty.accounts)) },
      { name: withStored, ...createLoad(candidate, purchases(bench.accounts)) },
    ])
    await empty.close()
    const [full, none] = [of(withStored).perSecond, of(without).perSecond]
    const points: [number, number][] = [
      [0, none],
      [stored, full],
    ]
    return {
      ratios: [
        atLeast(
          `with ${stored.toLocaleString('en-US')} stored orders ÷ none`,
          ratioOf(withStored, without),
          0.9,
          rates(full, none),
        ),
      ],
      costs,
      plots: [
        {
          title: 'Throughput against stored orders',
          xLabel: 'orders stored',
          yLabel: 'purchases per second',
          series: [{ name: 'purchase', points }],
        },
      ],
    }
  },
}
