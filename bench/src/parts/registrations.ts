import { purchasesForUnknown } from '../load/requests.ts'
import { measureInTurn } from '../measure/measure-in-turn.ts'
import type { Part } from './part.ts'

/** Purchases for numbers that the registries must be asked about. */
export const registrationsPart: Part = {
  name: 'registrations',
  measures: 'purchases for MTN numbers that both registries are asked about',
  async run(bench) {
    const server = await bench.server('candidate')
    const { costs, figures } = await measureInTurn(bench, [
      { name: 'purchase, unknown numbers', server, request: purchasesForUnknown(bench.accounts) },
    ])
    return { costs, figures }
  },
}
