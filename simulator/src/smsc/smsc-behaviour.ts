/** Present behaviour of the SMSC. Times in milliseconds, already scaled. */
export type SmscBehaviour = {
  /** Holds back answers to submits, refusals too, until it is false again. */
  holdsAnswers: boolean
  /** Delay of the answer to an accepted submit. */
  answerMilliseconds: number
  refusalMilliseconds: number
  deliveryMilliseconds: number
  expiryMilliseconds: number
  /** More submits per second than this are answered ESME_RTHROTTLED. 0: no limit. */
  perSecond: number
  /** This many of the next submits are accepted without an answer. */
  lostAnswers: number
  /** This many of the next submits are answered ESME_RMSGQFUL. */
  fullQueues: number
  /** This many of the next submits are answered ESME_RSYSERR. */
  systemErrors: number
  /** The command_status that refuses every submit. 0: none. */
  refuseWith: number
  receiptIds: 'same' | 'decimal'
  /** Whether a receipt carries its content in the text or in TLV parameters. */
  receiptForm: 'text' | 'tlv'
  sendsReceipts: boolean
  /** New binds are refused with ESME_RBINDFAIL. */
  refusesBinds: boolean
  /** The command_status that refuses `bind_transceiver`, as an SMSC does that supports only the two other binds. 0: none. */
  refuseTransceiversWith: number
  /** The command_status that refuses `bind_transmitter`. 0: none. */
  refuseTransmittersWith: number
}

export function defaultSmscBehaviour(config: { timeScale: number; deliveryMilliseconds: number }): SmscBehaviour {
  return {
    holdsAnswers: false,
    answerMilliseconds: 0,
    refusalMilliseconds: 0,
    deliveryMilliseconds: Math.round(config.deliveryMilliseconds * config.timeScale),
    expiryMilliseconds: Math.round(5_000 * config.timeScale),
    perSecond: 0,
    lostAnswers: 0,
    fullQueues: 0,
    systemErrors: 0,
    refuseWith: 0,
    receiptIds: 'same',
    receiptForm: 'text',
    sendsReceipts: true,
    refusesBinds: false,
    refuseTransceiversWith: 0,
    refuseTransmittersWith: 0,
  }
}

const milliseconds = { type: 'integer', minimum: 0, maximum: 86_400_000 }
const count = { type: 'integer', minimum: 0, maximum: 1_000_000 }

export const smscBehaviourSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    holdsAnswers: { type: 'boolean' },
    answerMilliseconds: milliseconds,
    refusalMilliseconds: milliseconds,
    deliveryMilliseconds: milliseconds,
    expiryMilliseconds: milliseconds,
    perSecond: count,
    lostAnswers: count,
    fullQueues: count,
    systemErrors: count,
    refuseWith: { type: 'integer', minimum: 0, maximum: 0xffff },
    receiptIds: { enum: ['same', 'decimal'] },
    receiptForm: { enum: ['text', 'tlv'] },
    sendsReceipts: { type: 'boolean' },
    refusesBinds: { type: 'boolean' },
    refuseTransceiversWith: { type: 'integer', minimum: 0, maximum: 0xffff },
    refuseTransmittersWith: { type: 'integer', minimum: 0, maximum: 0xffff },
  },
} as const
