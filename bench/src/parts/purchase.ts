import { bulkPurchases, emptyPurchases, ordersInBulk, purchases } from '../load/requests.ts'
import { type Contender, measureInTurn } from '../measure/measure-in-turn.ts'
import { sumCosts } from '../measure/processor-time.ts'
import { atLeast, rates } from '../report/make-ratio.ts'
import type { Part } from './part.ts'

/** Purchases at 64 connections, beside what HTTPS alone costs and beside the usual way of building it. */
export const purchasePart: Part = {
  name: 'purchase',
  measures: 'purchases at 64 connections beside their baselines',
  async run(bench) {
    const [candidate, textbook] = [await bench.server('candidate'), await bench.server('textbook')]
    const { accounts, baselineAccounts } = bench
    const contenders: Contender[] = [
      { name: 'empty route', server: candidate, request: emptyPurchases(accounts) },
      { name: 'purchase, 1,000 wallets', server: candidate, request: purchases(accounts) },
      { name: 'purchase, one wallet', server: candidate, request: purchases(accounts.slice(0, 1)) },
      { name: 'purchase, Telecel', server: candidate, request: purchases(accounts, 'Telecel') },
      { name: 'textbook, 1,000 wallets', server: textbook, request: purchases(baselineAccounts) },
      { name: 'textbook, one wallet', server: textbook, request: purchases(baselineAccounts.slice(0, 1)) },
      { name: 'bulk of 100', server: candidate, request: bulkPurchases(accounts), orders: ordersInBulk },
    ]
    const results = await measureInTurn(bench, contenders)
    const rate = (name: string) => results.of(name).perSecond
    const against = (title: string, ours: string, base: string, goal: number) =>
      atLeast(title, rate(ours) / rate(base), goal, rates(rate(ours), rate(base)))
    const [spread, hot] = ['purchase, 1,000 wallets', 'purchase, one wallet']
    return {
      ratios: [
        against('purchases/s ÷ empty route', spread, 'empty route', 0.5),
        against('one hot wallet ÷ 1,000 wallets', hot, spread, 0.9),
        against('purchase ÷ textbook, 1,000 wallets', spread, 'textbook, 1,000 wallets', 10),
        against('purchase ÷ textbook, one hot wallet', hot, 'textbook, one wallet', 20),
        against('MTN, known number ÷ Telecel', spread, 'purchase, Telecel', 0.97),
      ],
      costs: results.costs,
      figures: {
        ...results.figures,
        'bulk of 100, orders/s': rate('bulk of 100') * ordersInBulk,
        'processor time of a purchase, µs': sumCosts(results.of(spread).costs, ['API', 'PostgreSQL']),
      },
    }
  },
}
