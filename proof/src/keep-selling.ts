import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findEffectBreaches } from './breaches/find-effect-breaches.ts'
import { findJournalBreaches } from './breaches/find-journal-breaches.ts'
import { findSettlementBreaches } from './breaches/find-settlement-breaches.ts'
import type { Installation } from './installation.ts'
import { type Journal, openJournal } from './journal.ts'
import { makeDataBody, singleCall } from './make-calls.ts'
import { liftRateLimits, openShop } from './open-shop.ts'
import { placeUntilDefinite } from './place-surely.ts'
import { waitUntil } from './wait-until.ts'

/** How many sales there were during a fault or an upgrade, and the longest time without one. */
export type SalesDuring = { readonly secondsWithoutSale: number; readonly sales: number }

/** The longest pause between two moments: its length, and its end in milliseconds of `performance.now`. */
export type SalesPause = { readonly seconds: number; readonly endedAt: number }

/** Buyers that buy one bundle after the other until they are stopped, and repeat each call until its outcome is known. */
export type Selling = {
  readonly journal: Journal
  /** Does the work beside the sales, and waits for the next sale after it. Throws when a buyer fails. */
  during(work: () => Promise<unknown>): Promise<SalesDuring>
  /**
   * Stops the buyers, waits until all that was bought is delivered, and compares books, journal and deliveries.
   * @returns the breaches, in words
   */
  stop(): Promise<string[]>
  /** The time at which the first order after `moment` was acknowledged. Both are milliseconds of `performance.now`. */
  findSaleAfter(moment: number): number | undefined
  /** One line: orders, tries, and the slowest answer. */
  summary(): string
}

const pauseMilliseconds = 40
const recentMilliseconds = 500

/** Finds the longest pause between `from` and `until`. The times may be in any order. */
export function findLongestPause(times: readonly number[], from: number, until: number): SalesPause {
  const within = [...times.filter((time) => time > from && time < until).toSorted((a, b) => a - b), until]
  const pauses = within.map((endedAt, at) => ({ endedAt, seconds: (endedAt - (within[at - 1] ?? from)) / 1_000 }))
  return pauses.reduce((longest, each) => (each.seconds > longest.seconds ? each : longest))
}

async function findBreaches(installation: Installation, journal: Journal, prefix: string): Promise<string[]> {
  await waitUntil('everything that was bought is delivered', async () => {
    const open = await installation.query("select from orders where status not in ('completed', 'failed', 'refunded')")
    return open.length === 0
  })
  const { exitCode, json } = await installation.tryCommand('audit', '--full')
  return [
    ...(await findJournalBreaches(installation, journal, prefix)),
    ...(await findEffectBreaches(installation)),
    ...(await findSettlementBreaches(installation)),
    ...(exitCode === 0 ? [] : [`the audit found ${JSON.stringify(json)}`]),
  ]
}

/** Opens a shop of that name and begins to sell to so many buyers, who take turns at the APIs. */
export async function keepSelling(installation: Installation, name: string, buyers: number): Promise<Selling> {
  const [shop, client] = await Promise.all([
    openShop(installation, { name, fundsGhs: '1000000.00' }),
    installation.openClient({ patienceSeconds: 40 }),
    liftRateLimits(installation),
  ])
  const journal = openJournal(join(installation.dataDir, `${name}.jsonl`))
  const placing = { client, journal, apis: installation.apis }
  const times: number[] = []
  const stopping = new AbortController()

  async function buy(buyer: number): Promise<void> {
    for (let no = 0; !stopping.signal.aborted; no += 1) {
      const outcome = await placeUntilDefinite(placing, singleCall(shop, makeDataBody(`${name}-${buyer}-${no}`)), buyer + no)
      if (outcome.class === 'accepted') times.push(performance.now())
      await sleep(pauseMilliseconds)
    }
  }
  const buying = Promise.all(Array.from({ length: buyers }, (_, buyer) => buy(buyer)))
  // A failure is thrown by `during` and `stop`, not before somebody waits for it.
  buying.catch(() => undefined)

  return {
    journal,
    async during(work) {
      const [from, before] = [performance.now(), times.length]
      const done = async () => {
        await work()
        await waitUntil('a sale after it', () => (times.at(-1) ?? 0) > performance.now() - recentMilliseconds)
      }
      await Promise.race([done(), buying])
      return { secondsWithoutSale: findLongestPause(times, from, performance.now()).seconds, sales: times.length - before }
    },
    findSaleAfter: (moment) => times.find((time) => time > moment),
    async stop() {
      stopping.abort()
      await buying
      return findBreaches(installation, journal, `${name}-`)
    },
    summary() {
      const tries = journal.records().flatMap((record) => record.tries)
      const slowest = Math.max(...tries.map(({ sentAt, endedAt = Date.now() }) => endedAt - sentAt)) / 1_000
      return `${times.length} orders acknowledged in ${tries.length} tries, the slowest answer after ${slowest.toFixed(1)} s`
    },
  }
}
