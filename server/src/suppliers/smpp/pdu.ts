/** The kinds of mandatory parameters (SMPP 3.4, section 3.1): one byte, a C string, or bytes after a byte with their number. */
type Kind = 'byte' | 'word' | 'octets'

/** The values of a PDU's parameters, under SMPP's own names. What is left out is zero or empty. */
export type PduFields = Readonly<Record<string, string | number | Uint8Array>>

/** What is read of a PDU; which parameters there are depends on its command. */
export type Pdu = {
  readonly command: string
  readonly command_id: number
  readonly command_status: number
  readonly sequence_number: number
  readonly message_id?: string
  readonly source_addr?: string
  readonly esm_class?: number
  readonly data_coding?: number
  readonly short_message?: Buffer
  readonly message_payload?: Buffer
  readonly receipted_message_id?: string
  readonly message_state?: number
}

type Layout = readonly (readonly [name: string, kind: Kind])[]
type Command = { readonly id: number; readonly layout: Layout }

const addresses: Layout = [
  ['service_type', 'word'],
  ['source_addr_ton', 'byte'],
  ['source_addr_npi', 'byte'],
  ['source_addr', 'word'],
  ['dest_addr_ton', 'byte'],
  ['dest_addr_npi', 'byte'],
  ['destination_addr', 'word'],
  ['esm_class', 'byte'],
]
const message: Layout = [
  ...addresses,
  ['protocol_id', 'byte'],
  ['priority_flag', 'byte'],
  ['schedule_delivery_time', 'word'],
  ['validity_period', 'word'],
  ['registered_delivery', 'byte'],
  ['replace_if_present_flag', 'byte'],
  ['data_coding', 'byte'],
  ['sm_default_msg_id', 'byte'],
  ['short_message', 'octets'],
]
const introduction: Layout = [
  ['system_id', 'word'],
  ['password', 'word'],
  ['system_type', 'word'],
  ['interface_version', 'byte'],
  ['addr_ton', 'byte'],
  ['addr_npi', 'byte'],
  ['address_range', 'word'],
]
const messageId: Layout = [['message_id', 'word']]

/** A response has the id of its request and this bit. */
const responseBit = 0x8000_0000

/** The commands of a client and of the SMSC that it talks to (sections 4 and 5.1.2.1). */
const commands: ReadonlyMap<string, Command> = new Map([
  ['bind_receiver', { id: 0x01, layout: introduction }],
  ['bind_receiver_resp', { id: responseBit + 0x01, layout: [] }],
  ['bind_transmitter', { id: 0x02, layout: introduction }],
  ['bind_transmitter_resp', { id: responseBit + 0x02, layout: [] }],
  ['bind_transceiver', { id: 0x09, layout: introduction }],
  ['bind_transceiver_resp', { id: responseBit + 0x09, layout: [] }],
  ['submit_sm', { id: 0x04, layout: message }],
  ['submit_sm_resp', { id: responseBit + 0x04, layout: messageId }],
  ['deliver_sm', { id: 0x05, layout: message }],
  ['deliver_sm_resp', { id: responseBit + 0x05, layout: messageId }],
  ['unbind', { id: 0x06, layout: [] }],
  ['unbind_resp', { id: responseBit + 0x06, layout: [] }],
  ['enquire_link', { id: 0x15, layout: [] }],
  ['enquire_link_resp', { id: responseBit + 0x15, layout: [] }],
  ['data_sm', { id: 0x103, layout: [...addresses, ['registered_delivery', 'byte'], ['data_coding', 'byte']] }],
  ['data_sm_resp', { id: responseBit + 0x103, layout: messageId }],
  ['generic_nack', { id: responseBit, layout: [] }],
])
const commandsById = new Map([...commands].map(([name, { id, layout }]) => [id, { name, layout }]))

/** The optional parameters that we use (section 5.3.2). */
const messagePayload = 0x0424
const receiptedMessageId = 0x001e
const messageState = 0x0427

/** A PDU larger than this is no SMS but a broken stream. */
export const pduBytesMax = 16_384
const headerBytes = 16
const tlvHeaderBytes = 4

const lengthOf = (value: PduFields[string] | undefined) =>
  typeof value === 'object' || typeof value === 'string' ? value.length : 0

function sizeOf(layout: Layout, fields: PduFields): number {
  let size = headerBytes
  for (const [name, kind] of layout) size += kind === 'byte' ? 1 : 1 + lengthOf(fields[name])
  const payload = fields['message_payload']
  return payload === undefined ? size : size + tlvHeaderBytes + lengthOf(payload)
}

/** Writes the bytes of a string or of a buffer. @returns where they end */
function put(bytes: Buffer, at: number, value: PduFields[string] | undefined): number {
  if (typeof value === 'string') return at + bytes.write(value, at, 'latin1')
  if (typeof value !== 'object') return at
  bytes.set(value, at)
  return at + value.length
}

/**
 * Writes a PDU. One with an error code has no body.
 * @throws RangeError when a text is longer than its PDU can say
 */
export function writePdu(name: string, sequenceNumber: number, fields: PduFields = {}, status = 0): Buffer {
  const command = commands.get(name)
  if (!command) throw new Error(`no PDU has the name ${name}`)
  const layout = status === 0 ? command.layout : []
  const size = sizeOf(layout, fields)
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeUInt32BE(size, 0)
  bytes.writeUInt32BE(command.id, 4)
  bytes.writeUInt32BE(status, 8)
  bytes.writeUInt32BE(sequenceNumber, 12)
  let at = headerBytes
  for (const [parameter, kind] of layout) {
    const value = fields[parameter]
    if (kind === 'byte') {
      at = bytes.writeUInt8(typeof value === 'number' ? value : 0, at)
    } else if (kind === 'word') {
      at = bytes.writeUInt8(0, put(bytes, at, value))
    } else {
      at = put(bytes, bytes.writeUInt8(lengthOf(value), at), value)
    }
  }
  const payload = fields['message_payload']
  if (payload !== undefined) {
    bytes.writeUInt16BE(messagePayload, at)
    bytes.writeUInt16BE(lengthOf(payload), at + 2)
    put(bytes, at + tlvHeaderBytes, payload)
  }
  return bytes
}

type Read = { -readonly [Name in keyof Pdu]: Pdu[Name] } & Record<string, unknown>

/** Reads the mandatory parameters. An SMSC may leave out the last ones. @returns where the optional ones begin */
function readMandatory(bytes: Buffer, layout: Layout, into: Read): number {
  let at = headerBytes
  for (const [name, kind] of layout) {
    if (at >= bytes.length) break
    if (kind === 'byte') {
      into[name] = bytes[at]
    } else if (kind === 'word') {
      const start = at
      while (at < bytes.length && bytes[at] !== 0) at += 1
      into[name] = start === at ? '' : bytes.toString('latin1', start, at)
    } else {
      const length = bytes.readUInt8(at)
      into[name] = bytes.subarray(at + 1, at + 1 + length)
      at += length
    }
    at += 1
  }
  return at
}

function readOptional(bytes: Buffer, from: number, into: Read): void {
  let at = from
  while (at + tlvHeaderBytes <= bytes.length) {
    const tag = bytes.readUInt16BE(at)
    const start = at + tlvHeaderBytes
    at = start + bytes.readUInt16BE(at + 2)
    const value = bytes.subarray(start, at)
    if (tag === receiptedMessageId) into.receipted_message_id = value.toString('latin1')
    else if (tag === messageState) into.message_state = value.readUInt8(0)
    else if (tag === messagePayload) into.message_payload = value
  }
}

/**
 * Reads one complete PDU. If its body cannot be read, returns its header with a command that does not exist: the length
 * was right, so the next PDU can be read, and a broken receipt that comes again and again must not end the link.
 */
export function readPdu(bytes: Buffer): Pdu {
  const commandId = bytes.readUInt32BE(4)
  const known = commandsById.get(commandId)
  const header = {
    command: known?.name ?? 'unknown',
    command_id: commandId,
    command_status: bytes.readUInt32BE(8),
    sequence_number: bytes.readUInt32BE(12),
  }
  if (!known) return header
  try {
    const pdu: Read = { ...header }
    readOptional(bytes, readMandatory(bytes, known.layout, pdu), pdu)
    return pdu
  } catch {
    return { ...header, command: 'unreadable' }
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
