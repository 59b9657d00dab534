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
  /** Number of times that each webhook is sent. */
  copies: number
  signature: 'valid' | 'forged' | 'missing'
  /** Sends the opposite status after the true one. */
  isContradicted: boolean
  /** Sends callbacks also for orders whose answer was lost or unreadable. */
  alsoForSilentEndings: boolean
}

/** Present behaviour of one supplier. Times are in milliseconds, already scaled. */
export type SupplierBehaviour = {
  outage: Outage
  outageOn: OutageScope
  /** Scripted outcome for a recipient's last digits, or for `*`, which means all recipients. */
  scripts: Map<string, ScriptedOutcome>
  /** Delay of every answer. */
  answerMilliseconds: number
  deliveryMilliseconds: number
  lateDeliveryMilliseconds: number
  failureMilliseconds: number
  unreadableMilliseconds: number
  /** A socket whose answer is lost stays open for this time. */
  lostAnswerMilliseconds: number
  /** A look-up does not find an order until this time after its acceptance. */
  lookUpBlindMilliseconds: number
  requestsPerMinute: number
  /** The refusal of a duplicate names the code of the earlier purchase. Only for suppliers that refuse duplicates. */
  isDuplicateCodeTold: boolean
  webhooks: WebhookBehaviour
}

/** Changes some fields of a behaviour. `floatGhs` sets the float that the supplier reports. */
export type BehaviourChange = Partial<Omit<SupplierBehaviour, 'scripts' | 'webhooks'>> & {
  scripts?: Record<string, ScriptedOutcome | null>
  webhooks?: Partial<WebhookBehaviour>
  floatGhs?: number
}

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
    // Three times the time-out of one second that the buyer has with simulated suppliers. It is not scaled, because that
    // time-out is not.
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

/** Merges a change into a behaviour. A script of `null` is removed. */
export function changeBehaviour(behaviour: SupplierBehaviour, change: BehaviourChange): void {
  const { scripts = {}, webhooks = {}, floatGhs: _, ...rest } = change
  Object.assign(behaviour, rest)
  Object.assign(behaviour.webhooks, webhooks)
  for (const [ending, outcome] of Object.entries(scripts)) {
    if (outcome === null) behaviour.scripts.delete(ending)
    else behaviour.scripts.set(ending, outcome)
  }
}

export function viewBehaviour(behaviour: SupplierBehaviour): Record<string, unknown> {
  return { ...behaviour, scripts: Object.fromEntries(behaviour.scripts) }
}

const milliseconds = { type: 'integer', minimum: 0, maximum: 86_400_000 }

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
