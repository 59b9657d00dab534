import { X509Certificate } from 'node:crypto'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { settingsFault } from '../adapter.ts'

const Seconds = (minimum: number, maximum: number) => Type.Optional(Type.Number({ minimum, maximum }))

/**
 * The kind of bind: a transceiver; a receiver and a transmitter, two connections that end together; or only a transmitter,
 * which gets no receipts (SMPP 3.4, section 4.1).
 */
export type BindMode = 'transceiver' | 'pair' | 'transmitter'

/** The optional `settings` of an SMPP row in `suppliers`: everything that may differ between accounts. */
export const SmppSettings = Type.Object(
  {
    bindMode: Type.Optional(
      Type.Unsafe<BindMode>({ type: 'string', enum: ['transceiver', 'pair', 'transmitter'] satisfies BindMode[] }),
    ),
    systemType: Type.Optional(Type.String({ maxLength: 12 })),
    /** For `smpps://`: the only trusted authority, as PEM. Absent: Node's list of authorities is trusted. */
    certificateAuthority: Type.Optional(Type.String({ maxLength: 20_000 })),
    /** For `smpps://`: the name in the certificate, where it differs from the host. */
    serverName: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    /** How a text of several segments is sent: each with a header, or whole in `message_payload`. */
    longTexts: Type.Optional(Type.Unsafe<'udh' | 'message_payload'>({ type: 'string', enum: ['udh', 'message_payload'] })),
    /** Type of number and numbering plan of alphanumeric and numeric senders, and of recipients (SMPP 3.4, 5.2.5 and 5.2.6). */
    alphanumericTon: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
    alphanumericNpi: Type.Optional(Type.Integer({ minimum: 0, maximum: 18 })),
    numericTon: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
    numericNpi: Type.Optional(Type.Integer({ minimum: 0, maximum: 18 })),
    recipientTon: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
    recipientNpi: Type.Optional(Type.Integer({ minimum: 0, maximum: 18 })),
    /** Time-out of a submit. */
    responseSeconds: Seconds(0.1, 120),
    /** Interval of enquire_link on a silent link. */
    enquireSeconds: Seconds(1, 300),
    /** The first and the longest wait before a lost link is bound again. */
    reconnectSeconds: Seconds(0.05, 60),
    reconnectSecondsMax: Seconds(1, 600),
    /** Whether an unanswered text may be sent again. It can then arrive twice. */
    resubmitUnanswered: Type.Optional(Type.Boolean()),
    /** Meanings of further command_status values, in hexadecimal such as "0x400". */
    statusMeanings: Type.Optional(Type.Record(Type.String({ pattern: '^0x[0-9a-fA-F]{1,8}$' }), Type.String())),
  },
  { additionalProperties: false },
)
export type SmppSettings = Static<typeof SmppSettings>

/** Meaning of a command_status for a submit. */
export type SubmitMeaning = 'rejected' | 'refused_us' | 'throttled' | 'unknown'

type WithoutDefault = 'statusMeanings' | 'certificateAuthority' | 'serverName'

export type SmppVocabulary = Required<Omit<SmppSettings, WithoutDefault>> &
  Pick<SmppSettings, 'certificateAuthority' | 'serverName'> & {
    readonly statusMeanings: ReadonlyMap<number, SubmitMeaning>
  }

const submitMeanings: readonly string[] = ['rejected', 'refused_us', 'throttled', 'unknown'] satisfies SubmitMeaning[]

/** Codes about the message: length, priority, registered delivery, destination, content, replacing, validity and the like. */
const rejectedCodes = [
  0x01, 0x06, 0x07, 0x0b, 0x33, 0x34, 0x40, 0x42, 0x43, 0x44, 0x45, 0x48, 0x49, 0x50, 0x51, 0x54, 0x55, 0x61, 0x62, 0x63, 0x65,
  0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xfe,
]

/** Codes about us: not bound, not allowed, credentials, sender address, service type, system type, unknown command. */
const refusedUsCodes = [0x02, 0x03, 0x04, 0x05, 0x0a, 0x0d, 0x0e, 0x0f, 0x15, 0x46, 0x47, 0x53, 0x66, 0x67]

/** ESME_RMSGQFUL and ESME_RTHROTTLED: not accepted; send more slowly. */
const throttledCodes = [0x14, 0x58]

function defaultMeanings(): Map<number, SubmitMeaning> {
  return new Map<number, SubmitMeaning>([
    ...rejectedCodes.map((code) => [code, 'rejected'] as const),
    ...refusedUsCodes.map((code) => [code, 'refused_us'] as const),
    ...throttledCodes.map((code) => [code, 'throttled'] as const),
  ])
}

function checkMeanings(settings: SmppSettings): void {
  const wrong = Object.values(settings.statusMeanings ?? {}).find((meaning) => !submitMeanings.includes(meaning))
  if (wrong !== undefined) throw new Error(`statusMeanings: "${wrong}" is none of ${submitMeanings.join(', ')}`)
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function checkCertificate({ certificateAuthority }: SmppSettings): void {
  if (certificateAuthority !== undefined && !isCertificate(certificateAuthority)) {
    throw new Error('certificateAuthority: not a certificate in PEM')
  }
}

/**
 * Adds defaults to an account's settings.
 * @throws Error that names the wrong setting
 */
export function readSmppSettings(settings: unknown): SmppVocabulary {
  if (!Value.Check(SmppSettings, settings ?? {})) throw settingsFault('an SMPP supplier', SmppSettings, settings ?? {})
  const given = (settings ?? {}) as SmppSettings
  checkMeanings(given)
  checkCertificate(given)
  const { statusMeanings = {}, ...rest } = given
  const meanings = defaultMeanings()
  for (const [code, meaning] of Object.entries(statusMeanings)) meanings.set(Number(code), meaning as SubmitMeaning)
  return {
    bindMode: 'transceiver',
    systemType: '',
    longTexts: 'udh',
    alphanumericTon: 5,
    alphanumericNpi: 0,
    numericTon: 1,
    numericNpi: 1,
    recipientTon: 1,
    recipientNpi: 1,
    responseSeconds: 10,
    enquireSeconds: 30,
    reconnectSeconds: 1,
    reconnectSecondsMax: 30,
    resubmitUnanswered: false,
    ...rest,
    statusMeanings: meanings,
  }
}
