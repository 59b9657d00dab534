import { setTimeout as sleep } from 'node:timers/promises'
import { setOpenOrdersAside } from '../bench-servers.ts'
import { countProcessorTime, describeCosts } from '../measure/processor-time.ts'
import { below } from '../report/make-ratio.ts'
import { type Role, startRole } from '../start-servers.ts'
import type { Part } from './part.ts'

/** After its start a process still compiles and fills its caches, and its loops rest after ten seconds without work. */
const settleSeconds = { full: 15, quick: 12 }
const watchedSeconds = { full: 60, quick: 8 }

export const idlePart: Part = {
  name: 'idle',
  measures: 'processor time of an API and of a worker while nothing happens',
  async run(bench) {
    await bench.stopServers()
    await setOpenOrdersAside(bench.db)
    const length = bench.options.isQuick ? 'quick' : 'full'
    const roles: Role[] = []
    try {
      const simulator = await startRole('simulator', bench.dataDir)
      roles.push(simulator)
      const start = async (role: 'api' | 'worker') => {
        const started = await startRole(role, bench.dataDir)
        roles.push(started)
        return started
      }
      const [api, worker] = await Promise.all([start('api'), start('worker')])
      await sleep(settleSeconds[length] * 1_000)
      const stopCounting = countProcessorTime({
        ...bench.processes(),
        API: api.pid,
        worker: worker.pid,
        simulator: simulator.pid,
      })
      await sleep(watchedSeconds[length] * 1_000)
      const costs = stopCounting(watchedSeconds[length])
      bench.say(`  in each second: ${describeCosts(costs)}`)
      const percent = (microseconds = Number.NaN) => microseconds / 10_000
      const behind = `over ${watchedSeconds[length]} s; PostgreSQL for both ${percent(costs.PostgreSQL).toFixed(2)} %`
      return {
        ratios: [
          below('idle API, % of a core', percent(costs.API), 1, behind),
          below('idle worker, % of a core', percent(costs.worker), 1, behind),
        ],
        costs: [{ name: 'a second of idleness', costs }],
      }
    } finally {
      for (const role of roles.toReversed()) await role.stop()
    }
  },
}
