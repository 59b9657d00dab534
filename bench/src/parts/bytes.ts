import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../server/src/platform/database/database.ts'
import { newId } from '../../../server/src/platform/database/new-id.ts'
import { findFreePort } from '../../../server/src/platform/find-free-port.ts'
import { type Bench, setOpenOrdersAside } from '../bench-servers.ts'
import { mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import { bulkPurchases, ordersInBulk } from '../load/requests.ts'
import { atMost } from '../report/make-ratio.ts'
import { readAuthority, startAlone, startRole } from '../start-servers.ts'
import type { Part } from './part.ts'

const orders = 20_000

/** Orders that take longer than this to end are stuck. Bytes are measured, not time, so a busy machine may take its time. */
const patienceMilliseconds = 1_200_000

async function readOne(db: Db, value: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ value: string }>`select ${value} as value`.execute(db)
  return Number(rows[0]?.value)
}

/** Bytes of each table that keeps orders, and of each index as `table: index`; the partitions of a table count as one. */
async function readSizes(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; bytes: string }>`
    select concat_ws(': ', of_table.name, case when relation.relkind = 'i' then of_index.name end) as name,
      sum(pg_relation_size(relation.oid)) as bytes
    from pg_class as relation
    left join pg_index on indexrelid = relation.oid
    cross join lateral (
      select regexp_replace(coalesce(indrelid, relation.oid)::regclass::text, '_\\d{4}_\\d\\d$', '') as name
    ) as of_table
    cross join lateral (select coalesce(
      (select inhparent::regclass::text from pg_inherits where inhrelid = relation.oid), relation.relname) as name) as of_index
    where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'i')
      and (of_table.name = 'order_references' or of_table.name in (select name from partitioned_tables))
    group by 1`.execute(db)
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

/** Sells the orders while a worker has them delivered, and waits until all have ended. */
async function sellAndDeliver(bench: Bench): Promise<void> {
  const firstId = newId()
  const port = String(await findFreePort('127.0.0.1'))
  const simulator = await startRole('simulator', bench.dataDir, {
    SIMULATOR_CALLBACK_BASE_URL: `https://localhost:${port}`,
  })
  const roles = await Promise.all([startAlone('api', bench.dataDir, { PORT: port }), startAlone('worker', bench.dataDir)])
  try {
    const target = { origin: `https://localhost:${port}`, ca: await readAuthority(bench.dataDir) }
    const request = bulkPurchases(bench.accounts)
    const load = { target, connections: 4, seconds: Number.POSITIVE_INFINITY, requests: orders / ordersInBulk, request }
    mustAllSucceed('purchases', await runAtFullSpeed(load))
    const countOpen = sql`(select count(*) from open_orders where order_id >= ${firstId}::uuid)`
    const startedAt = performance.now()
    for (;;) {
      const open = await readOne(bench.db, countOpen)
      if (open === 0) return
      if (performance.now() - startedAt > patienceMilliseconds) throw new Error(`${open} of ${orders} orders did not end`)
      await sleep(200)
    }
  } finally {
    for (const role of [...roles, simulator]) await role.stop()
  }
}

/** Bytes that one delivered order adds to each table, to each index and to the WAL. */
export const bytesPart: Part = {
  name: 'bytes',
  measures: 'the bytes that a sold, delivered order leaves in each table and index, and in the WAL',
  isForFullRunOnly: true,
  async run(bench) {
    await bench.stopServers()
    await setOpenOrdersAside(bench.db)
    const position = sql`pg_current_wal_lsn() - '0/0'`
    const [before, walBefore] = [await readSizes(bench.db), await readOne(bench.db, position)]
    await sellAndDeliver(bench)
    const [after, walAfter] = [await readSizes(bench.db), await readOne(bench.db, position)]
    const perOrder = [...after]
      .map(([name, bytes]): [string, number] => [name, (bytes - (before.get(name) ?? 0)) / orders])
      .filter(([, bytes]) => bytes >= 1)
      .toSorted(([, one], [, other]) => other - one)
    const kept = perOrder.reduce((sum, [, bytes]) => sum + bytes, 0)
    const wal = (walAfter - walBefore) / orders
    for (const [name, bytes] of perOrder) bench.say(`  ${String(Math.round(bytes)).padStart(5)}  ${name}`)
    return {
      ratios: [atMost('bytes that an order leaves for ever', kept, 1_720, `${Math.round(wal)} bytes of WAL`)],
      figures: {
        'bytes of WAL per order': wal,
        ...Object.fromEntries(perOrder.map(([name, bytes]) => [`bytes in ${name}`, bytes])),
      },
    }
  },
}
