import process from 'node:process'
import { findFreePort } from '../../../server/src/platform/find-free-port.ts'
import { type Bench, setOpenOrdersAside } from '../bench-servers.ts'
import { mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import { purchases } from '../load/requests.ts'
import { connections } from '../measure/measure-in-turn.ts'
import { type Costs, countProcessorTime, describeCosts, readPeakMegabytes } from '../measure/processor-time.ts'
import { below } from '../report/make-ratio.ts'
import type { Cost, Ratio } from '../report/report.ts'
import { readAuthority, startAlone, startPlatform, startRole } from '../start-servers.ts'
import type { Part } from './part.ts'

/** Long enough for V8's heap to reach its lasting size. */
const loadSeconds = { full: 30, quick: 4 }

type Running = {
  readonly roles: Record<'API' | 'worker', number | undefined>
  readonly stop: () => Promise<void>
}

async function startEachAlone({ dataDir }: Bench, port: string): Promise<Running> {
  const simulator = await startRole('simulator', dataDir, { SIMULATOR_CALLBACK_BASE_URL: `https://localhost:${port}` })
  const [api, worker] = await Promise.all([startAlone('api', dataDir, { PORT: port }), startAlone('worker', dataDir)])
  return {
    roles: { API: api.pid, worker: worker.pid },
    stop: async () => {
      for (const role of [worker, api, simulator]) await role.stop()
    },
  }
}

async function startTogether({ dataDir }: Bench, port: string): Promise<Running> {
  const platform = await startPlatform(dataDir, { PORT: port })
  return { roles: { API: platform.findRole('api'), worker: platform.findRole('worker') }, stop: () => platform.stop() }
}

type Peaks = { readonly api: number; readonly worker: number; readonly perSecond: number; readonly costs: Costs }

/** Measures the peak memory during purchases at full speed, while the worker dispatches them. */
async function measurePeaks(bench: Bench, start: (bench: Bench, port: string) => Promise<Running>): Promise<Peaks> {
  await setOpenOrdersAside(bench.db)
  const port = await findFreePort('127.0.0.1')
  const { roles, stop } = await start(bench, String(port))
  try {
    const load = {
      target: { origin: `https://localhost:${port}`, ca: await readAuthority(bench.dataDir) },
      connections,
      seconds: loadSeconds[bench.options.isQuick ? 'quick' : 'full'],
      request: purchases(bench.accounts),
    }
    const stopCounting = countProcessorTime({ ...bench.processes(), ...roles, 'load generator': process.pid })
    const { answered, perSecond } = mustAllSucceed('purchases', await runAtFullSpeed(load))
    const costs = stopCounting(answered)
    const [api, worker] = [await readPeakMegabytes(roles.API), await readPeakMegabytes(roles.worker)]
    return { api, worker, perSecond, costs }
  } finally {
    await stop()
  }
}

export const memoryPart: Part = {
  name: 'memory',
  measures: 'the most memory of an API and a worker under full load, started alone and by `makola start`',
  async run(bench) {
    await bench.stopServers()
    const ratios: Ratio[] = []
    const costs: Cost[] = []
    for (const [how, start] of [
      ['alone', startEachAlone],
      ['by makola start', startTogether],
    ] as const) {
      const peaks = await measurePeaks(bench, start)
      const rate = `${Math.round(peaks.perSecond)} purchases/s`
      bench.say(
        `  started ${how}: API ${Math.round(peaks.api)} MB, worker ${Math.round(peaks.worker)} MB at ${rate}; ${describeCosts(peaks.costs)}`,
      )
      const behind = `the peak over ${rate}, which the worker dispatches`
      ratios.push(below(`memory of the API, started ${how}, MB`, peaks.api, 200, behind))
      ratios.push(below(`memory of the worker, started ${how}, MB`, peaks.worker, 200, behind))
      costs.push({ name: `purchase beside a worker, started ${how}`, perSecond: peaks.perSecond, costs: peaks.costs })
    }
    return { ratios, costs }
  },
}
