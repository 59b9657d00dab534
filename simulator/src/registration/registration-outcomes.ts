/** Outcomes of a number at the two registration servers, as the README describes them. */
export const registrationOutcomes = [
  'registered',
  'completes',
  'server_1_only',
  'server_2_only',
  'server_1_unreachable',
  'server_2_unreachable',
  'both_unreachable',
  'never_completes',
] as const

export type RegistrationOutcome = (typeof registrationOutcomes)[number]

export const registrationServers = [1, 2] as const

export type RegistrationServerNo = (typeof registrationServers)[number]

/** Outcomes by a number's last three digits. Every other number is registered on both servers. */
const outcomesByEnding: ReadonlyMap<string, RegistrationOutcome> = new Map([
  ['911', 'completes'],
  ['912', 'server_1_only'],
  ['913', 'server_2_only'],
  ['914', 'server_1_unreachable'],
  ['915', 'server_2_unreachable'],
  ['916', 'both_unreachable'],
  ['917', 'never_completes'],
])

/** Means every number, in `scripts`. */
const anyNumber = '*'

/** Finds a number's outcome. `scripts` (by last digits, or `*`) come before the table; the longest match wins. */
export function findRegistrationOutcome(number: string, scripts: ReadonlyMap<string, RegistrationOutcome>): RegistrationOutcome {
  if (scripts.size > 0) {
    for (let start = 0; start < number.length; start += 1) {
      const scripted = scripts.get(number.slice(start))
      if (scripted) return scripted
    }
  }
  return scripts.get(anyNumber) ?? outcomesByEnding.get(number.slice(-3)) ?? 'registered'
}

export function isUnreachable(outcome: RegistrationOutcome, server: RegistrationServerNo): boolean {
  return outcome === 'both_unreachable' || outcome === `server_${server}_unreachable`
}
