import process from 'node:process'
import { sql } from 'kysely'
import type { Bench } from '../bench-servers.ts'
import { mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import { purchases } from '../load/requests.ts'
import { connections } from '../measure/measure-in-turn.ts'
import { median } from '../measure/median.ts'
import { type Costs, countProcessorTime, describeCosts } from '../measure/processor-time.ts'
import { atLeast, atMost, milliseconds, rates } from '../report/make-ratio.ts'
import { startRole } from '../start-servers.ts'
import { storeOrders } from '../store-orders.ts'
import type { Part } from './part.ts'

/** Orders of the last minute, which no worker has audited, sealed or counted. */
const storedOrders = { full: 300_000, quick: 100_000 }

/** Long enough for the background work of a started worker, whose timers all begin within ten seconds. */
const watchedSeconds = { full: 30, quick: 10 }

type Watched = { readonly perSecond: number; readonly p50: number; readonly costs: Costs }

/** Pauses all routes. The worker then sends no order, so it slows sales by its background work alone. */
async function pauseRoutes(bench: Bench): Promise<void> {
  await sql`update routes set state = 'paused', paused_reason = 'bench', paused_at = now(), paused_until = null`.execute(bench.db)
}

async function openRoutes(bench: Bench): Promise<void> {
  await sql`update routes set state = 'open', paused_reason = null, paused_at = null, paused_until = null`.execute(bench.db)
}

async function storeLastMinute(bench: Bench, count: number): Promise<void> {
  const minute = 60_000
  const times = { firstAt: Date.now() - minute, apartMilliseconds: minute / count }
  await storeOrders(bench.db, count, (done) => bench.say(`  ${done} orders of the last minute stored`), times)
}

/** Measures sales alone and beside a starting worker, in turn. Every worker finds the same number of new orders. */
export const backgroundPart: Part = {
  name: 'background',
  measures: 'purchases beside a worker that starts when many new orders are neither audited nor sealed',
  async run(bench) {
    const length = bench.options.isQuick ? 'quick' : 'full'
    const { target, pid } = await bench.server('candidate')
    const load = { target, connections, request: purchases(bench.accounts), seconds: watchedSeconds[length] }
    const watch = async (name: string, worker?: number): Promise<Watched> => {
      const stopCounting = countProcessorTime({ ...bench.processes(), API: pid, worker, 'load generator': process.pid })
      const { answered, perSecond, p50 } = mustAllSucceed('purchases', await runAtFullSpeed(load))
      const costs = stopCounting(answered)
      bench.say(`  ${name}: ${Math.round(perSecond)}/s, p50 ${p50.toFixed(1)} ms; ${describeCosts(costs)}`)
      return { perSecond, p50, costs }
    }
    await pauseRoutes(bench)
    await watch('warm-up')
    const rounds: { alone: Watched; beside: Watched }[] = []
    while (rounds.length < bench.options.rounds) {
      await storeLastMinute(bench, storedOrders[length])
      const alone = await watch('alone')
      const worker = await startRole('worker', bench.dataDir)
      try {
        rounds.push({ alone, beside: await watch('beside a worker that starts', worker.pid) })
      } finally {
        await worker.stop()
      }
    }
    await openRoutes(bench)
    const medianOf = (read: (round: { alone: Watched; beside: Watched }) => number) => median(rounds.map(read))
    const [alone, beside] = [medianOf((round) => round.alone.perSecond), medianOf((round) => round.beside.perSecond)]
    const [p50Alone, p50Beside] = [medianOf((round) => round.alone.p50), medianOf((round) => round.beside.p50)]
    return {
      ratios: [
        atLeast(
          'sales beside a worker that starts ÷ alone',
          medianOf((round) => round.beside.perSecond / round.alone.perSecond),
          0.7,
          rates(beside, alone),
        ),
        atMost(
          'latency of sales beside a worker that starts ÷ alone',
          medianOf((round) => round.beside.p50 / round.alone.p50),
          1.5,
          milliseconds(p50Beside, p50Alone),
        ),
      ],
    }
  },
}
