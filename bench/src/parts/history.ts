import { sql } from 'kysely'
import { connectDatabase } from '../../../server/src/platform/database/database.ts'
import { migrate } from '../../../server/src/platform/database/migrate.ts'
import type { Bench } from '../bench-ground.ts'
import { purchases } from '../load/requests.ts'
import { asking, type Contender, measureInTurn } from '../measure/measure-in-turn.ts'
import { openShop } from '../open-shop.ts'
import { atLeast, rates } from '../report/make-ratio.ts'
import { type MeasuredServer, startServer } from '../start-servers.ts'
import { storeOrders } from '../store-orders.ts'
import type { Part } from './part.ts'

/** A second database on the same PostgreSQL server, without stored orders. */
const emptyName = 'makola_without_history'

const [withStored, without] = ['purchase, with stored orders', 'purchase, without']

function addressOf(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

async function openEmptyShop(bench: Bench): Promise<{ contender: Contender; server: MeasuredServer }> {
  await sql`create database ${sql.id(emptyName)}`.execute(bench.db)
  const db = connectDatabase({ url: addressOf(bench.ownerUrl, emptyName), poolSize: 1, applicationName: 'makola bench' })
  await migrate(db)
  const accounts = await openShop(db, bench.accounts.length)
  await db.destroy()
  const server = await startServer('candidate', bench.dataDir, addressOf(bench.databaseUrl, emptyName))
  return { contender: { name: without, ...asking(server, purchases(accounts)) }, server }
}

/** Purchases beside many stored orders and, in turn, in a database without them. */
export const historyPart: Part = {
  name: 'history',
  measures: 'purchases beside many stored orders',
  isForFullRunOnly: true,
  async run(bench) {
    const { stored } = bench.options
    await storeOrders(bench.db, stored, (done) => bench.say(`  ${done} orders of history stored`))
    const candidate = await bench.server('candidate')
    const { contender, server } = await openEmptyShop(bench)
    const { of, ratioOf, costs } = await measureInTurn(bench, [
      contender,
      { name: withStored, ...asking(candidate, purchases(bench.accounts)) },
    ])
    await server.stop()
    await sql`drop database ${sql.id(emptyName)}`.execute(bench.db)
    const [full, empty] = [of(withStored).perSecond, of(without).perSecond]
    const points: [number, number][] = [
      [0, empty],
      [stored, full],
    ]
    return {
      ratios: [
        atLeast(
          `with ${stored.toLocaleString('en-US')} stored orders ÷ none`,
          ratioOf(withStored, without),
          0.9,
          rates(full, empty),
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
