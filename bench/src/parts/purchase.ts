import { bareRoutePath } from '../baselines/bare-route.ts'
import { writeRowsInBatches } from '../baselines/batched-rows.ts'
import type { Bench } from '../bench-servers.ts'
import { bulkPurchases, emptyPurchases, ordersInBulk, purchases } from '../load/requests.ts'
import { type Contender, createLoad, measureInTurn, type Results } from '../measure/measure-in-turn.ts'
import { sumCosts } from '../measure/processor-time.ts'
import { atLeast, atMost, microseconds, rates } from '../report/make-ratio.ts'
import type { Ratio } from '../report/report.ts'
import type { Part } from './part.ts'

const [spread, hot, bulk] = ['purchase, 1,000 wallets', 'purchase, one wallet', 'bulk of 100, each order']

async function listContenders(bench: Bench): Promise<Contender[]> {
  const { accounts, baselineAccounts } = bench
  const candidate = await bench.server('candidate')
  const [textbook, bare] = await Promise.all([bench.server('textbook'), bench.server('bare')])
  const buyRows = (length: Parameters<Contender['load']>[0]) => writeRowsInBatches(bench, length)
  return [
    { name: 'bare Fastify route', ...createLoad(bare, emptyPurchases(accounts, bareRoutePath)) },
    { name: 'empty route', ...createLoad(candidate, emptyPurchases(accounts)) },
    { name: 'rows in batches of 256', load: buyRows, processes: {} },
    { name: spread, ...createLoad(candidate, purchases(accounts)) },
    { name: hot, ...createLoad(candidate, purchases(accounts.slice(0, 1))) },
    { name: 'textbook, 1,000 wallets', ...createLoad(textbook, purchases(baselineAccounts)) },
    { name: 'textbook, one wallet', ...createLoad(textbook, purchases(baselineAccounts.slice(0, 1))) },
    { name: bulk, ...createLoad(candidate, bulkPurchases(accounts)), orders: ordersInBulk },
  ]
}

function rateRatios(results: Results): Ratio[] {
  const rate = (name: string) => results.of(name).perSecond
  const against = (title: string, ours: string, base: string, goal: number) =>
    atLeast(title, rate(ours) / rate(base), goal, rates(rate(ours), rate(base)))
  return [
    against('purchases/s ÷ empty route', spread, 'empty route', 0.5),
    against('one hot wallet ÷ 1,000 wallets', hot, spread, 0.9),
    against('purchase ÷ textbook, 1,000 wallets', spread, 'textbook, 1,000 wallets', 10),
    against('purchase ÷ textbook, one hot wallet', hot, 'textbook, one wallet', 20),
  ]
}

function costRatios(results: Results): Ratio[] {
  const bought = sumCosts(results.of(spread).costs, ['API', 'PostgreSQL'])
  const bare = sumCosts(results.of('bare Fastify route').costs, ['API'])
  const written = sumCosts(results.of(spread).costs, ['PostgreSQL'])
  const batched = sumCosts(results.of('rows in batches of 256').costs, ['PostgreSQL'])
  return [
    atMost('purchase, API and PostgreSQL ÷ bare route, processor time', bought / bare, 3.5, microseconds(bought, bare)),
    atMost('purchase, PostgreSQL ÷ batches of 256, processor time', written / batched, 1.4, microseconds(written, batched)),
  ]
}

/** Measures purchases at 64 connections, beside empty routes, bare writes of rows, and a textbook server. */
export const purchasePart: Part = {
  name: 'purchase',
  measures: 'purchases at 64 connections beside their baselines',
  async run(bench) {
    const results = await measureInTurn(bench, await listContenders(bench))
    return {
      ratios: [...costRatios(results), ...rateRatios(results)],
      costs: results.costs,
      figures: results.figures,
    }
  },
}
