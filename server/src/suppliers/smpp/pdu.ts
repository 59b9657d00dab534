import { createRequire } from 'node:module'

/** What is read of a PDU; which fields there are depends on its command. */
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

/** The package has no types and is CommonJS; only its PDUs are used. */
const { PDU: PackagePdu } = createRequire(import.meta.url)('smpp') as { PDU: PduClass }

/** A PDU larger than this is no SMS but a broken stream. */
export const pduBytesMax = 16_384
const headerBytes = 16

/** Writes a PDU. `fields` carry the package's names of SMPP's own parameters and TLVs; texts go in as bytes only. */
export function writePdu(command: string, fields: PduFields): Buffer {
  return new PackagePdu(command, fields).toBuffer()
}

/**
 * Reads one complete PDU. If its body cannot be read, returns its header with a command that does not exist: the length
 * was right, so the next PDU can be read, and a broken receipt that comes again and again must not end the link.
 */
export function readPdu(bytes: Buffer): Pdu {
  try {
    return new PackagePdu(bytes)
  } catch {
    const [command_id, command_status, sequence_number] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8), bytes.readUInt32BE(12)]
    return { command: 'unreadable', command_id, command_status, sequence_number }
  }
}

/** Cuts a stream into PDUs. `push` returns the whole ones. @throws RangeError when a length makes no sense */
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
