import { join } from 'node:path'
import { sql } from 'kysely'
import { allAuditChecks } from '../../../server/src/all-audit-checks.ts'
import { listDueMonths } from '../../../server/src/archive/list-due-months.ts'
import { putMonthAway } from '../../../server/src/archive/put-away.ts'
import type { Db } from '../../../server/src/platform/database/database.ts'
import { openBackgroundShare } from '../../../server/src/platform/housekeeping/background-share.ts'
import type { Bench } from '../bench-servers.ts'
import { mustAllSucceed, runAtRate } from '../load/load.ts'
import { purchases } from '../load/requests.ts'
import { atMost, milliseconds } from '../report/make-ratio.ts'
import type { Ratio } from '../report/report.ts'
import { median } from './median.ts'

/** Purchases a second, far below the limit of the machine. At the limit they wait for the processor, archive or not. */
const perSecond = 50

const windowSeconds = 2

/** Forgets the phone numbers of a month's orders. The platform has always done so before it puts a month away. */
async function forgetNumbers(db: Db, { first, end }: { first: string; end: string }): Promise<void> {
  await sql`
    update orders set recipient = '024****567', recipient_hash = decode(md5(recipient), 'hex') where id >= ${first} and id < ${end}`.execute(
    db,
  )
}

type StoredMonth = Awaited<ReturnType<typeof listDueMonths>>[number]

/** The months that have ended and of which the database has rows, oldest first. */
export const listStoredMonths = (db: Db): Promise<StoredMonth[]> => listDueMonths(db, new Date().toISOString().slice(0, 7))

/** Puts a month of the history away as a worker does, while others buy. */
export async function measureArchive(
  bench: Bench,
  month: StoredMonth | undefined,
): Promise<{ ratio: Ratio; seconds: number; orders: number }> {
  if (month === undefined) throw new Error('the history has no whole month')
  await forgetNumbers(bench.db, month)
  const { rows } = await sql<{ orders: number }>`
    select count(*) as orders from orders where id >= ${month.first} and id < ${month.end}`.execute(bench.db)
  const { target } = await bench.server('candidate')
  const buy = async () => {
    const load = { target, connections: 16, request: purchases(bench.accounts), seconds: windowSeconds, perSecond }
    return mustAllSucceed('purchases', await runAtRate(load)).p50
  }
  await buy()
  const alone = [await buy(), await buy(), await buy()]
  const beside: number[] = []
  const beganAt = performance.now()
  const share = openBackgroundShare(undefined)
  const done = new AbortController()
  const deps = { db: bench.db, archiveDir: join(bench.dataDir, 'archive'), checks: allAuditChecks, actor: 'bench', share }
  const putting = putMonthAway(deps, month).finally(() => done.abort())
  do beside.push(await buy())
  while (!done.signal.aborted)
  const state = await putting
  share.close()
  if (state !== 'put_away') throw new Error(`${month.month} is ${state}`)
  const seconds = (performance.now() - beganAt) / 1_000
  const orders = rows[0]?.orders ?? 0
  bench.say(`  ${month.month} with ${orders} orders put away in ${seconds.toFixed(0)} s`)
  const [ours, base] = [median(beside), median(alone)]
  return {
    ratio: atMost('latency of sales while a month is put away ÷ alone', ours / base, 1.2, milliseconds(ours, base)),
    seconds,
    orders,
  }
}
