/** How the SMSC behaves now. All times in milliseconds, already scaled. */
export type SmscBehaviour = {
  /** Answers to submits, refusals too, are held back until this is false again. */
  holdsAnswers: boolean
  /** How long the answer to a submit that was taken is held back. */
  answerMilliseconds: number
  /** How long a refusal is held back. */
  refusalMilliseconds: number
  deliveryMilliseconds: number
  expiryMilliseconds: number
  /** More submits in a second than this are answered ESME_RTHROTTLED. 0: there is no limit. */
  perSecond: number
  /** The next so many submits are taken without an answer. */
  lostAnswers: number
  /** The next so many submits are answered ESME_RMSGQFUL. */
  fullQueues: number
  /** The next so many submits are answered ESME_RSYSERR. */
  systemErrors: number
  /** A command_status that every submit is refused with; 0: none. */
  refuseWith: number
  /** How ids are written in receipts; the answers to submits carry them in hexadecimal. */
  receiptIds: 'same' | 'decimal'
  /** Whether a receipt has its content in the text or in TLV parameters. */
  receiptForm: 'text' | 'tlv'
  sendsReceipts: boolean
  /** New binds are refused with ESME_RBINDFAIL. */
  refusesBinds: boolean
  /** The command_status with which `bind_transceiver` is refused, as by an SMSC that knows only the two other binds. With 0 it is not refused. */
  refuseTransceiversWith: number
  /** The command_status with which `bind_transmitter` is refused. With 0 it is not refused. */
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

/** JSON schema of a change of some fields of the behaviour. */
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
