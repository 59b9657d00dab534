import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import { scriptedOutcomes } from '../scripted-outcomes.ts'

export const outages = [
  'none',
  'refuse',
  'hang',
  'error',
  'garbage',
  'throttle',
  'float_empty',
  'unauthorised',
  'disabled',
] as const
export type Outage = (typeof outages)[number]

export const outageScopes = ['everything', 'purchases', 'look_ups'] as const
export type OutageScope = (typeof outageScopes)[number]

export type WebhookBehaviour = {
  isEnabled: boolean
  delayMilliseconds: number
  /** How often each one is sent. */
  copies: number
  signature: 'valid' | 'forged' | 'missing'
  /** Sends the opposite after the truth. */
  isContradicted: boolean
  /** Whether callbacks are sent also for orders whose answer was lost or unreadable. */
  alsoForSilentEndings: boolean
}

/** How one supplier behaves now. All times are in milliseconds, and are not multiplied by the time scale any more. */
export type SupplierBehaviour = {
  outage: Outage
  outageOn: OutageScope
  /** What happens to a recipient, by its last digits, or `*` for all. */
  scripts: Map<string, ScriptedOutcome>
  /** How long every answer is held back. */
  answerMilliseconds: number
  deliveryMilliseconds: number
  lateDeliveryMilliseconds: number
  failureMilliseconds: number
  unreadableMilliseconds: number
  /** How long a socket stays open whose answer is lost. */
  lostAnswerMilliseconds: number
  /** How long after its acceptance an order cannot be found by a look-up. */
  lookUpBlindMilliseconds: number
  requestsPerMinute: number
  /** Whether a refused duplicate names the code of the earlier submit; for suppliers that refuse duplicates. */
  isDuplicateCodeTold: boolean
  webhooks: WebhookBehaviour
}

/** A change of some fields of a behaviour. `floatGhs` sets the float that the supplier reports. */
export type BehaviourChange = Partial<Omit<SupplierBehaviour, 'scripts' | 'webhooks'>> & {
  scripts?: Record<string, ScriptedOutcome | null>
  webhooks?: Partial<WebhookBehaviour>
  floatGhs?: number
}

/** How a supplier behaves at the start. */
export function defaultBehaviour(config: { timeScale: number; deliveryMilliseconds: number }): SupplierBehaviour {
  const scaled = (milliseconds: number) => Math.round(milliseconds * config.timeScale)
  return {
    outage: 'none',
    outageOn: 'everything',
    scripts: new Map(),
    answerMilliseconds: 0,
    deliveryMilliseconds: scaled(config.deliveryMilliseconds),
    lateDeliveryMilliseconds: scaled(60_000),
    failureMilliseconds: scaled(2_000),
    unreadableMilliseconds: scaled(2_000),
    // It is three times the time-out of one second that the buyer has with simulated suppliers. It is not scaled with the other
    // times, because the buyer's time-out is not.
    lostAnswerMilliseconds: 3_000,
    lookUpBlindMilliseconds: 0,
    requestsPerMinute: 1_000_000,
    isDuplicateCodeTold: true,
    webhooks: {
      isEnabled: true,
      delayMilliseconds: 0,
      copies: 1,
      signature: 'valid',
      isContradicted: false,
      alsoForSilentEndings: false,
    },
  }
}

/** Merges a change into a behaviour; a script of `null` is taken away. */
export function changeBehaviour(behaviour: SupplierBehaviour, change: BehaviourChange): void {
  const { scripts = {}, webhooks = {}, floatGhs: _, ...rest } = change
  Object.assign(behaviour, rest)
  Object.assign(behaviour.webhooks, webhooks)
  for (const [ending, outcome] of Object.entries(scripts)) {
    if (outcome === null) behaviour.scripts.delete(ending)
    else behaviour.scripts.set(ending, outcome)
  }
}

/** The behaviour as JSON. */
export function viewBehaviour(behaviour: SupplierBehaviour): Record<string, unknown> {
  return { ...behaviour, scripts: Object.fromEntries(behaviour.scripts) }
}

const milliseconds = { type: 'integer', minimum: 0, maximum: 86_400_000 }

/** JSON schema of a `BehaviourChange`. */
export const behaviourChangeSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    outage: { enum: outages },
    outageOn: { enum: outageScopes },
    scripts: {
      type: 'object',
      additionalProperties: false,
      patternProperties: { '^([0-9]{1,10}|\\*)$': { enum: [...scriptedOutcomes, null] } },
    },
    answerMilliseconds: milliseconds,
    deliveryMilliseconds: milliseconds,
    lateDeliveryMilliseconds: milliseconds,
    failureMilliseconds: milliseconds,
    unreadableMilliseconds: milliseconds,
    lostAnswerMilliseconds: milliseconds,
    lookUpBlindMilliseconds: milliseconds,
    requestsPerMinute: { type: 'integer', minimum: 1 },
    isDuplicateCodeTold: { type: 'boolean' },
    floatGhs: { type: 'number', minimum: 0 },
    webhooks: {
      type: 'object',
      additionalProperties: false,
      properties: {
        isEnabled: { type: 'boolean' },
        delayMilliseconds: milliseconds,
        copies: { type: 'integer', minimum: 1, maximum: 10 },
        signature: { enum: ['valid', 'forged', 'missing'] },
        isContradicted: { type: 'boolean' },
        alsoForSilentEndings: { type: 'boolean' },
      },
    },
  },
} as const
