export const momoOutages = ['none', 'error', 'hang', 'garbage', 'unauthorised', 'request_lost'] as const
/** What the API does instead of answering. `request_lost` takes the request and answers nothing. */
export type MomoOutage = (typeof momoOutages)[number]

export const callbackWays = ['sent', 'lost', 'twice', 'forged'] as const
/** What becomes of the callback. */
export type CallbackWay = (typeof callbackWays)[number]

/** How the simulated MTN MoMo behaves where the payer's number says nothing else. Times in milliseconds, already scaled. */
export type MomoBehaviour = {
  outage: MomoOutage
  callback: CallbackWay
  /** How long a usual payer takes to approve, and how long a slow one. */
  approvalMilliseconds: number
  slowMilliseconds: number
  /** For how long an access token is good. The answer that hands it out says so. */
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

/** JSON schema of a change. */
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

/** What a payer does, by the last digits of the number. */
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
