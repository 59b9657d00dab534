import type { Bench } from '../bench-servers.ts'
import { runAtFullSpeed } from '../load/load.ts'
import { purchases, purchasesForUnknown, registryQuestions } from '../load/requests.ts'
import { type Contender, connections, createLoad, measureInTurn, type Results } from '../measure/measure-in-turn.ts'
import { atLeast, rates } from '../report/make-ratio.ts'
import { findSimulator } from '../start-servers.ts'
import type { Part } from './part.ts'

const [known, telecel] = ['purchase, MTN, known number', 'purchase, Telecel']
const [bought, asked] = ['purchase, unknown numbers', 'two bare calls to the registries']

/** A known number costs nearly as much as a number of another network, so more rounds are needed to tell them apart. */
const knownRounds = { full: 3, quick: 2 }

/** Purchases are slow until V8 has compiled the code of this path, after some thousand of them. */
const warmUpSeconds = 4

/** Asks both registries about a number at the same time, and ignores their answers. */
async function bareCalls({ dataDir }: Bench): Promise<Contender> {
  const { url } = await findSimulator(dataDir)
  const load = { target: { origin: url }, connections, together: 2, request: registryQuestions }
  return { name: asked, load: (length) => runAtFullSpeed({ ...load, ...length }), processes: {} }
}

export const registrationsPart: Part = {
  name: 'registrations',
  measures: 'purchases for MTN numbers: known ones beside Telecel, unknown ones beside bare calls to both registries',
  async run(bench) {
    const server = await bench.server('candidate')
    const { accounts, options } = bench
    const rounds = knownRounds[options.isQuick ? 'quick' : 'full'] * options.rounds
    const usual = await measureInTurn({ ...bench, options: { ...options, rounds } }, [
      { name: known, ...createLoad(server, purchases(accounts)) },
      { name: telecel, ...createLoad(server, purchases(accounts, 'Telecel')) },
    ])
    const unknown = { name: bought, ...createLoad(server, purchasesForUnknown(accounts)), warmUpSeconds }
    const registries = await measureInTurn(bench, [await bareCalls(bench), unknown])
    const against = (title: string, results: Results, ours: string, base: string, goal: number) => {
      const behind = rates(results.of(ours).perSecond, results.of(base).perSecond)
      return atLeast(title, results.ratioOf(ours, base), goal, behind)
    }
    return {
      ratios: [
        against('MTN, known number ÷ Telecel', usual, known, telecel, 0.97),
        against('purchase for an unknown number ÷ two bare calls', registries, bought, asked, 0.7),
      ],
      costs: [...usual.costs, ...registries.costs],
      figures: { ...usual.figures, ...registries.figures },
    }
  },
}
