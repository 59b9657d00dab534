import { evidenceOf } from '../calling/evidence.ts'
import type { OutgoingSms, SmsReceipt, SmsReply } from '../sms-ports.ts'
import type { Pdu } from './pdu.ts'
import type { SmppVocabulary, SubmitMeaning } from './settings.ts'

/** Meaning of a command_status for a submit. An unknown value proves nothing, so it is `unknown` (SMPP 3.4, 5.1.3). */
export function meaningOfStatus(vocabulary: SmppVocabulary, status: number): SubmitMeaning {
  return vocabulary.statusMeanings.get(status) ?? 'unknown'
}

export function describeStatus(status: number): string {
  return `command_status 0x${status.toString(16).padStart(2, '0')}`
}

const udhIndicator = 0x40
const receiptTypes = 0x3c
const isNumeric = /^\d{3,15}$/

type Addresses = Readonly<Record<string, unknown>>

function addressesOf(vocabulary: SmppVocabulary, sms: OutgoingSms): Addresses {
  const numeric = isNumeric.test(sms.sender)
  return {
    source_addr_ton: numeric ? vocabulary.numericTon : vocabulary.alphanumericTon,
    source_addr_npi: numeric ? vocabulary.numericNpi : vocabulary.alphanumericNpi,
    source_addr: sms.sender,
    dest_addr_ton: vocabulary.recipientTon,
    dest_addr_npi: vocabulary.recipientNpi,
    destination_addr: sms.recipient,
  }
}

/**
 * The submits of a text: one per segment, or one for all where the supplier splits long texts itself.
 * @param joinNumber the number that joins the segments at the recipient, 0 to 255 (3GPP TS 23.040, 9.2.3.24.1)
 */
export function buildSubmits(
  vocabulary: SmppVocabulary,
  sms: OutgoingSms,
  joinNumber: number,
): Readonly<Record<string, unknown>>[] {
  const { segments, encoding, isConcatenated } = sms.text
  const shared = {
    ...addressesOf(vocabulary, sms),
    registered_delivery: vocabulary.bindMode === 'transmitter' ? 0 : 1,
    data_coding: encoding === 'ucs2' ? 8 : 0,
  }
  if (isConcatenated && vocabulary.longTexts === 'message_payload') {
    return [{ ...shared, short_message: Buffer.alloc(0), message_payload: Buffer.concat(segments) }]
  }
  return segments.map((segment, index) => {
    if (!isConcatenated) return { ...shared, short_message: Buffer.from(segment) }
    const header = Buffer.from([5, 0, 3, joinNumber, segments.length, index + 1])
    return { ...shared, esm_class: udhIndicator, short_message: Buffer.concat([header, segment]) }
  })
}

/**
 * The words of a receipt's text, and the values of `message_state` (SMPP 3.4, appendix B and 5.2.28); decision M6b: a receipt
 * refunds nothing.
 */
const stateWords: Readonly<Record<string, SmsReceipt['state']>> = {
  DELIVRD: 'delivered',
  EXPIRED: 'expired',
  DELETED: 'undelivered',
  UNDELIV: 'undelivered',
  REJECTD: 'rejected',
}
const stateNumbers: Readonly<Record<number, SmsReceipt['state']>> = {
  2: 'delivered',
  3: 'expired',
  4: 'undelivered',
  5: 'undelivered',
  8: 'rejected',
}

function textOf(pdu: Pdu): string {
  for (const held of [pdu.short_message?.message, pdu.message_payload?.message]) {
    if (typeof held === 'string' && held !== '') return held
    if (Buffer.isBuffer(held) && held.length > 0) return held.toString('latin1')
  }
  return ''
}

/**
 * Misread characters of an id whose SMSC wrote GSM-7 while the package read Latin-1, or the other way round (3GPP TS 23.038,
 * section 6.2.1).
 */
const misreadSigns: Readonly<Record<string, readonly string[]>> = {
  '@': ['\u0000', '¡'],
  $: ['\u0002', '¤'],
  _: ['\u0011', '§'],
  '^': ['\u001B\u0014', 'Ü'],
  '{': ['\u001B(', 'ä'],
  '}': ['\u001B)', 'ñ'],
  '\\': ['\u001B/', 'Ö'],
  '[': ['\u001B<', 'Ä'],
  '~': ['\u001B=', 'ü'],
  ']': ['\u001B>', 'Ñ'],
  '|': ['\u001B@', 'ö'],
  '`': ['¿'],
}
const signsByMisread = new Map(Object.entries(misreadSigns).flatMap(([sign, forms]) => forms.map((form) => [form, sign])))

/**
 * Corrects a misread id: some SMSCs write a receipt's text in ASCII and some in GSM-7, with the same data_coding. Ids have
 * only ASCII characters.
 */
function asWritten(id: string | undefined): string | undefined {
  // oxlint-disable-next-line no-control-regex
  return id?.replaceAll(/\u001B.|[^!-~]/g, (form) => signsByMisread.get(form) ?? form)
}

/** A text TLV may end in the NUL of a C string. */
function withoutNul(text: string | undefined): string | undefined {
  const bare = text?.replaceAll('\0', '').trim()
  return bare === '' ? undefined : bare
}

/**
 * Reads a delivery receipt: from its TLVs, else from its text.
 * @returns undefined for anything else, such as a subscriber's text
 */
export function readReceipt(pdu: Pdu): SmsReceipt | undefined {
  const text = textOf(pdu)
  const messageId = withoutNul(pdu.receipted_message_id) ?? asWritten(/\bid:\s*(\S{1,65})/i.exec(text)?.[1])
  const word = /\bstat:\s*([A-Z]{2,9})/i.exec(text)?.[1]?.toUpperCase()
  const isReceipt = ((pdu.esm_class ?? 0) & receiptTypes) !== 0 || (messageId !== undefined && word !== undefined)
  if (!isReceipt || messageId === undefined) return undefined
  const state = stateNumbers[pdu.message_state ?? -1] ?? stateWords[word ?? ''] ?? 'underway'
  return { messageId: evidenceOf(messageId), recipient: withoutNul(pdu.source_addr), state }
}

/**
 * Reads a subscriber's text, without the NULs of C strings or of a misread `@`: PostgreSQL stores no text that has one.
 * @returns undefined for anything else, such as an acknowledgement of a phone
 */
export function readReply(pdu: Pdu): SmsReply | undefined {
  const { source_addr: from, destination_addr: to, esm_class: kind = 0 } = pdu
  if ((kind & receiptTypes) !== 0 || from === undefined || to === undefined) return undefined
  return { from: from.replaceAll('\0', ''), to: to.replaceAll('\0', ''), text: textOf(pdu).replaceAll('\0', '').toWellFormed() }
}
