import type { Bench } from '../bench-ground.ts'
import { runAtFullSpeed } from '../load/load.ts'
import { purchasesForUnknown, registryQuestions } from '../load/requests.ts'
import { asking, type Contender, connections, measureInTurn } from '../measure/measure-in-turn.ts'
import { atLeast, rates } from '../report/make-ratio.ts'
import { findSimulator } from '../start-servers.ts'
import type { Part } from './part.ts'

const [bought, asked] = ['purchase, unknown numbers', 'two bare calls to the registries']

/** Asks both registries about a number at the same time, and does nothing with their answers. */
async function bareCalls({ dataDir }: Bench): Promise<Contender> {
  const { url } = await findSimulator(dataDir)
  const load = { target: { origin: url }, connections, together: 2, request: registryQuestions }
  return { name: asked, load: (length) => runAtFullSpeed({ ...load, ...length }), processes: {} }
}

/** Purchases for numbers that the registries must be asked about, beside the same calls to the registries alone. */
export const registrationsPart: Part = {
  name: 'registrations',
  measures: 'purchases for MTN numbers that both registries are asked about',
  async run(bench) {
    const server = await bench.server('candidate')
    const purchase = { name: bought, ...asking(server, purchasesForUnknown(bench.accounts)) }
    const { of, costs, figures } = await measureInTurn(bench, [await bareCalls(bench), purchase])
    const [ours, theirs] = [of(bought).perSecond, of(asked).perSecond]
    return {
      ratios: [atLeast('purchase for an unknown number ÷ two bare calls', ours / theirs, 0.7, rates(ours, theirs))],
      costs,
      figures,
    }
  },
}
