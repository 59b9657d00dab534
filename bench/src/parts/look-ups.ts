import { mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import { emptyPurchases, orderReads, packageReads, purchases } from '../load/requests.ts'
import { createLoad, measureInTurn } from '../measure/measure-in-turn.ts'
import type { ShopAccount } from '../open-shop.ts'
import { atLeast, rates } from '../report/make-ratio.ts'
import type { MeasuredServer } from '../start-servers.ts'
import type { Part } from './part.ts'

/** Number of orders that are read in turn. */
const readOrders = 1_000

async function placeOrders(server: MeasuredServer, account: ShopAccount): Promise<string[]> {
  const buy = purchases([account])
  const requests = Array.from({ length: readOrders }, (_, index) => buy(index))
  const load = { target: server.target, connections: 16, seconds: Number.POSITIVE_INFINITY, requests: readOrders }
  mustAllSucceed('orders to be read', await runAtFullSpeed({ ...load, request: (index) => requests[index] ?? buy(index) }))
  return requests.map(({ body }) => (body as { reference: string }).reference)
}

export const lookUpsPart: Part = {
  name: 'look-ups',
  measures: '`GET /orders/{reference}` and `GET /packages` beside a route that does nothing',
  async run(bench) {
    const server = await bench.server('candidate')
    const [account] = bench.accounts
    if (account === undefined) throw new Error('the bench has no account')
    const placed = await placeOrders(server, account)
    const results = await measureInTurn(bench, [
      { name: 'empty route', ...createLoad(server, emptyPurchases(bench.accounts)) },
      { name: 'GET /orders/{reference}', ...createLoad(server, orderReads(account, placed)) },
      { name: 'GET /packages', ...createLoad(server, packageReads(bench.accounts)) },
    ])
    const empty = results.of('empty route').perSecond
    const against = (name: string, goal: number) => {
      const ours = results.of(name).perSecond
      return atLeast(`${name} ÷ empty route`, ours / empty, goal, rates(ours, empty))
    }
    const { 'empty route': _, ...figures } = results.figures
    return {
      ratios: [against('GET /orders/{reference}', 0.8), against('GET /packages', 1)],
      costs: results.costs.map((cost) =>
        cost.name === 'empty route' ? { ...cost, name: 'empty route, beside look-ups' } : cost,
      ),
      figures,
    }
  },
}
