import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Bench } from '../bench-servers.ts'
import { type LoadOptions, mustAllSucceed, runAtFullSpeed, runAtRate, type Target } from '../load/load.ts'
import { bulkPurchases, purchases } from '../load/requests.ts'
import { connections } from '../measure/measure-in-turn.ts'
import { median } from '../measure/median.ts'
import type { ShopAccount } from '../open-shop.ts'
import { atMost, milliseconds } from '../report/make-ratio.ts'
import type { Part } from './part.ts'

/** The other accounts buy at this share of the server's full speed, so that they build no queue themselves. */
const shareOfFullSpeed = 0.25

/** A just started API is slower, so the full speed is measured only after this time. */
const warmUpSeconds = 1
const fullSpeedSeconds = 1

/** Concurrent bulk calls of the flooding account. */
const floodConnections = 8

/** Time for a disturbance to open its connections, before its effect on others is measured. */
const leadInMilliseconds = 300

/**
 * Long enough that single stalls of the machine, of 100 ms and more, do not decide, and that the wallet stays locked for
 * longer than the intake waits for a lock (1 s).
 */
const watchedSecondsMin = 2

/** Measures the others for these seconds: the p50 of purchases at a constant rate, in milliseconds. */
type Watch = (seconds: number) => Promise<number>

function watchOthers(target: Target, others: readonly ShopAccount[], perSecond: number): Watch {
  const load = { target, connections, request: purchases(others), perSecond }
  return async (seconds) => mustAllSucceed("the others' purchases", await runAtRate({ ...load, seconds })).p50
}

/** Runs something while a load runs beside it until the end. The load's answers do not matter. */
export async function beside<Result>(load: Omit<LoadOptions, 'seconds'>, run: () => Promise<Result>): Promise<Result> {
  let isOver = false
  const running = runAtFullSpeed({ ...load, seconds: Number.POSITIVE_INFINITY, isOver: () => isOver })
  try {
    await wait(leadInMilliseconds)
    return await run()
  } finally {
    isOver = true
    await running
  }
}

async function whileLocked<Result>({ db }: Bench, { id }: ShopAccount, run: () => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await sql`select from wallets where account_id = ${id} and purse = 'main' for update`.execute(tx)
    return run()
  })
}

/**
 * Measures with and without the disturbance, in turn.
 * @returns the medians
 */
async function compare(rounds: number, before: () => Promise<number>, during: () => Promise<number>): Promise<[number, number]> {
  const [quiet, disturbed]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(await before())
    disturbed.push(await during())
  }
  return [median(quiet), median(disturbed)]
}

export const fairnessPart: Part = {
  name: 'fairness',
  measures: 'the latency of others while one account floods with bulks, and while one wallet is locked',
  async run(bench) {
    const seconds = Math.max(bench.options.seconds, watchedSecondsMin)
    const rounds = Math.min(bench.options.rounds, bench.options.isQuick ? 2 : Infinity)
    const { target } = await bench.server('candidate')
    const [one, ...others] = bench.accounts as readonly [ShopAccount, ...ShopAccount[]]
    const buying = { target, connections, request: purchases(others) }
    const buyFor = async (length: number) => mustAllSucceed('purchases', await runAtFullSpeed({ ...buying, seconds: length }))
    await buyFor(warmUpSeconds)
    const { perSecond: fullSpeed } = await buyFor(fullSpeedSeconds)
    const perSecond = fullSpeed * shareOfFullSpeed
    bench.say(`  the others buy ${Math.round(perSecond)} times a second`)

    const watch = watchOthers(target, others, perSecond)
    const flood = { target, connections: floodConnections, request: bulkPurchases([one]) }
    const [alone, flooded] = await compare(
      rounds,
      () => watch(seconds),
      () => beside(flood, () => watch(seconds)),
    )
    bench.say(`  flood: ${milliseconds(flooded, alone)}`)

    const tryingOnLocked = { target, connections: 1, request: purchases([one]) }
    const [unlocked, locked] = await compare(
      bench.options.isQuick ? 1 : rounds,
      () => beside(tryingOnLocked, () => watch(seconds)),
      () => beside(tryingOnLocked, () => whileLocked(bench, one, () => watch(seconds))),
    )
    bench.say(`  locked wallet: ${milliseconds(locked, unlocked)}`)
    return {
      ratios: [
        atMost("one account floods with bulks: others' latency ÷ alone", flooded / alone, 2, milliseconds(flooded, alone)),
        atMost("one wallet is locked: others' latency ÷ before", locked / unlocked, 2, milliseconds(locked, unlocked)),
      ],
      figures: { "the others' purchases/s": perSecond },
    }
  },
}
