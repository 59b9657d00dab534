import { createRequire } from 'node:module'

/** The parsed fields of a PDU; their presence depends on its command. */
export type Pdu = {
  readonly command: string
  readonly command_id: number
  readonly command_status: number
  readonly sequence_number: number
  readonly message_id?: string
  readonly source_addr?: string
  readonly destination_addr?: string
  readonly esm_class?: number
  readonly short_message?: { readonly message?: unknown }
  readonly message_payload?: { readonly message?: unknown }
  readonly receipted_message_id?: string
  readonly message_state?: number
}

type PduFields = Readonly<Record<string, unknown>>
type PduClass = new (command: string | Buffer, fields?: PduFields) => Pdu & { toBuffer(): Buffer }

/** The package has no types and is CommonJS. Only its PDUs are used. */
const { PDU: PackagePdu, encodings } = createRequire(import.meta.url)('smpp') as {
  PDU: PduClass
  encodings: { default: string }
}

// By default the package reads the default alphabet as GSM-7, which takes longer than everything else about a receipt.
encodings.default = 'LATIN1'

/** We assume that a larger PDU is no SMS but a broken stream. */
export const pduBytesMax = 16_384
const headerBytes = 16

/** Writes a PDU. `fields` use the package's names of SMPP parameters and TLVs; texts are passed as bytes. */
export function writePdu(command: string, fields: PduFields): Buffer {
  return new PackagePdu(command, fields).toBuffer()
}

/** Offset of a PDU's sequence number (SMPP 3.4, section 3.2). */
const numberAt = 12

/** Offset of the recipient in a `submit_sm` without a service type: after the sender's address (SMPP 3.4, section 4.4.1). */
const recipientAt = (sender: string) => headerBytes + 1 + 2 + sender.length + 1 + 2

function isSameField(one: unknown, other: unknown): boolean {
  return one === other || (Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other))
}

/** The bytes of a PDU, and the fields that it was written from. */
type Written = { readonly fields: PduFields; readonly bytes: Buffer }

/** Copies a `submit_sm` for another recipient; undefined when anything else differs. */
function copyFor({ fields: before, bytes }: Written, fields: PduFields): Buffer | undefined {
  const { source_addr: sender, destination_addr: recipient } = fields
  const names = Object.keys(fields)
  const differing = names.filter((name) => !isSameField(before[name], fields[name]))
  if (names.length !== Object.keys(before).length || differing.some((name) => name !== 'destination_addr')) return undefined
  const copy = Buffer.from(bytes)
  if (differing.length === 0) return copy
  if (typeof sender !== 'string' || typeof recipient !== 'string') return undefined
  const at = recipientAt(sender)
  const isInPlace = bytes.toString('latin1', at, bytes.indexOf(0, at)) === before['destination_addr']
  if (!isInPlace || String(before['destination_addr']).length !== recipient.length) return undefined
  copy.write(recipient, at, 'latin1')
  return copy
}

/**
 * Makes the writer of a connection. The texts of a campaign differ only in their recipients, and most responses not at all, so
 * the writer copies the last PDU of a command where possible. Writing one with the package takes ten times as long.
 */
export function createPduWriter(): (command: string, sequenceNumber: number, fields: PduFields) => Buffer {
  const written = new Map<string, Written>()
  return (command, sequenceNumber, fields) => {
    const last = written.get(command)
    let bytes = last && copyFor(last, fields)
    if (!bytes) {
      bytes = writePdu(command, fields)
      written.set(command, { fields, bytes: Buffer.from(bytes) })
    }
    bytes.writeUInt32BE(sequenceNumber, numberAt)
    return bytes
  }
}

/**
 * Reads one complete PDU. If its body cannot be read, returns its header with a command that does not exist: the length was
 * right, so the next PDU can be read, and a broken receipt that is sent repeatedly must not end the link.
 */
export function readPdu(bytes: Buffer): Pdu {
  try {
    return new PackagePdu(bytes)
  } catch {
    const [command_id, command_status, sequence_number] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8), bytes.readUInt32BE(12)]
    return { command: 'unreadable', command_id, command_status, sequence_number }
  }
}

/**
 * Cuts a stream into PDUs. `push` returns the whole ones.
 * @throws RangeError for an impossible length
 */
export function createPduStream(): { push(chunk: Buffer): Buffer[] } {
  let rest: Buffer = Buffer.alloc(0)
  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const whole: Buffer[] = []
      let at = 0
      while (bytes.length - at >= 4) {
        const length = bytes.readUInt32BE(at)
        if (length < headerBytes || length > pduBytesMax) throw new RangeError(`a PDU of ${length} bytes`)
        if (bytes.length - at < length) break
        whole.push(bytes.subarray(at, at + length))
        at += length
      }
      rest = bytes.subarray(at)
      return whole
    },
  }
}
