import { median } from '../measure/median.ts'
import { below } from '../report/make-ratio.ts'
import { startPlatform } from '../start-servers.ts'
import type { Part } from './part.ts'

export const startPart: Part = {
  name: 'start',
  measures: 'from `makola start` to its first answer, on a database that is there',
  async run(bench) {
    await bench.stopServers()
    const taken: number[] = []
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const platform = await startPlatform(bench.dataDir)
      taken.push(platform.startMilliseconds)
      await platform.stop()
    }
    const behind = `${taken.map((each) => Math.round(each)).join(', ')} ms with an existing database`
    bench.say(`  ${behind}`)
    return { ratios: [below('start to first answer, s', median(taken) / 1_000, 1.2, behind)] }
  },
}
