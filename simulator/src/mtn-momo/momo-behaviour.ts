export const momoOutages = ['none', 'error', 'hang', 'garbage', 'unauthorised', 'request_lost'] as const
/** A fault of the API. `request_lost` accepts the request and gives no answer. */
export type MomoOutage = (typeof momoOutages)[number]

export const callbackWays = ['sent', 'lost', 'twice', 'forged'] as const
export type CallbackWay = (typeof callbackWays)[number]

/** Behaviour of the simulated MTN MoMo, unless the payer's number scripts another. Times in milliseconds, already scaled. */
export type MomoBehaviour = {
  outage: MomoOutage
  callback: CallbackWay
  /** How long a usual payer takes to approve, and how long a slow one takes. */
  approvalMilliseconds: number
  slowMilliseconds: number
  /** Lifetime of an access token, which its answer states. */
  tokenSeconds: number
}

export function defaultMomoBehaviour(timeScale: number): MomoBehaviour {
  return {
    outage: 'none',
    callback: 'sent',
    approvalMilliseconds: Math.round(3_000 * timeScale),
    slowMilliseconds: Math.round(20_000 * timeScale),
    tokenSeconds: 3_600,
  }
}

const milliseconds = { type: 'integer', minimum: 0, maximum: 86_400_000 }

export const momoChangeSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    outage: { enum: momoOutages },
    callback: { enum: callbackWays },
    approvalMilliseconds: milliseconds,
    slowMilliseconds: milliseconds,
    tokenSeconds: { type: 'integer', minimum: 0, maximum: 86_400 },
  },
} as const

/** A payer's decision, scripted by the last digits of the number. */
export type MomoEnding =
  | 'approves'
  | 'declines'
  | 'approves_late'
  | 'callback_lost'
  | 'never_answers'
  | 'pays_less'
  | 'other_currency'
  | 'no_funds'

const endings: Readonly<Record<string, MomoEnding>> = {
  '931': 'declines',
  '932': 'approves_late',
  '933': 'callback_lost',
  '934': 'never_answers',
  '935': 'pays_less',
  '936': 'other_currency',
  '937': 'no_funds',
}

export function endingOf(payer: string): MomoEnding {
  return endings[payer.slice(-3)] ?? 'approves'
}
