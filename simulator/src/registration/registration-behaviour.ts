import { type RegistrationOutcome, type RegistrationServerNo, registrationOutcomes } from './registration-outcomes.ts'

export const registrationOutages = ['none', 'refuse', 'hang', 'error', 'garbage', 'throttle', 'unauthorised'] as const
export type RegistrationOutage = (typeof registrationOutages)[number]

export type RegistrationBehaviour = {
  outages: Record<RegistrationServerNo, RegistrationOutage>
  /** Outcome by a number's last digits, or by `*` for all. */
  scripts: Map<string, RegistrationOutcome>
  answerMilliseconds: number
  /** Time from a number's submission to its registration. */
  completionMilliseconds: number
}

export type RegistrationChange = {
  outages?: Partial<RegistrationBehaviour['outages']>
  scripts?: Record<string, RegistrationOutcome | null>
  answerMilliseconds?: number
  completionMilliseconds?: number
}

export function defaultRegistrationBehaviour(timeScale: number): RegistrationBehaviour {
  return {
    outages: { 1: 'none', 2: 'none' },
    scripts: new Map(),
    answerMilliseconds: 0,
    completionMilliseconds: Math.round(5_000 * timeScale),
  }
}

/** Merges a change. A script is removed when the change gives `null` for it. */
export function changeRegistrationBehaviour(behaviour: RegistrationBehaviour, change: RegistrationChange): void {
  const { outages = {}, scripts = {}, ...rest } = change
  Object.assign(behaviour, rest)
  Object.assign(behaviour.outages, outages)
  for (const [ending, outcome] of Object.entries(scripts)) {
    if (outcome === null) behaviour.scripts.delete(ending)
    else behaviour.scripts.set(ending, outcome)
  }
}

export function viewRegistrationBehaviour(behaviour: RegistrationBehaviour): Record<string, unknown> {
  return { ...behaviour, scripts: Object.fromEntries(behaviour.scripts) }
}

const milliseconds = { type: 'integer', minimum: 0, maximum: 86_400_000 }

export const registrationChangeSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    outages: {
      type: 'object',
      additionalProperties: false,
      properties: { 1: { enum: registrationOutages }, 2: { enum: registrationOutages } },
    },
    scripts: {
      type: 'object',
      additionalProperties: false,
      patternProperties: { '^([0-9]{1,10}|\\*)$': { enum: [...registrationOutcomes, null] } },
    },
    answerMilliseconds: milliseconds,
    completionMilliseconds: milliseconds,
  },
} as const
