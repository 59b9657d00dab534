/** A `submit_sm`, read from its bytes (SMPP 3.4, section 4.4.1), so that no library translates it. */
export type Submit = {
  readonly sender: string
  readonly senderTon: number
  readonly recipient: string
  readonly dataCoding: number
  /** Whether the sender asks for a receipt with the message's final state (section 5.2.17). */
  readonly wantsReceipt: boolean
  /** Number of the text and place of this part in it. Undefined: the text has one part. */
  readonly part: { readonly join: number; readonly of: number; readonly no: number } | undefined
  /** The text's own bytes, without a header. */
  readonly text: Buffer
}

const headerBytes = 16
const udhIndicator = 0x40
const messagePayload = 0x0424

function openReader(bytes: Buffer) {
  let at = headerBytes
  return {
    byte: () => {
      at += 1
      return bytes.readUInt8(at - 1)
    },
    word: () => {
      const end = bytes.indexOf(0, at)
      const word = bytes.toString('latin1', at, end)
      at = end + 1
      return word
    },
    take: (length: number) => {
      at += length
      return bytes.subarray(at - length, at)
    },
    hasMore: () => at + 4 <= bytes.length,
    tlv: () => {
      const [tag, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)]
      at += 4 + length
      return { tag, value: bytes.subarray(at - length, at) }
    },
  }
}

function splitHeader(esmClass: number, bytes: Buffer): Pick<Submit, 'part' | 'text'> {
  if ((esmClass & udhIndicator) === 0) return { part: undefined, text: bytes }
  const length = (bytes[0] ?? 0) + 1
  const [, element, , join = 0, of = 1, no = 1] = bytes
  if (element !== 0) throw new Error('a header that joins nothing')
  return { part: { join, of, no }, text: bytes.subarray(length) }
}

/** @throws when the `submit_sm` is cut short */
export function readSubmit(bytes: Buffer): Submit {
  const reader = openReader(bytes)
  reader.word()
  const senderTon = reader.byte()
  reader.byte()
  const sender = reader.word()
  reader.take(2)
  const recipient = reader.word()
  const esmClass = reader.byte()
  reader.take(2)
  reader.word()
  reader.word()
  const wantsReceipt = (reader.byte() & 0x03) === 0x01
  reader.byte()
  const dataCoding = reader.byte()
  reader.byte()
  let text = reader.take(reader.byte())
  while (reader.hasMore()) {
    const { tag, value } = reader.tlv()
    if (tag === messagePayload) text = value
  }
  return { sender, senderTon, recipient, dataCoding, wantsReceipt, ...splitHeader(esmClass, text) }
}
