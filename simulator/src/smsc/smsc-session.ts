import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

type Pdu = {
  readonly command: string
  readonly command_id: number
  readonly command_status: number
  readonly sequence_number: number
} & Readonly<Record<string, unknown>>
const { PDU } = createRequire(import.meta.url)('smpp') as {
  PDU: new (command: string | Buffer, fields?: Readonly<Record<string, unknown>>) => Pdu & { toBuffer(): Buffer }
}

/** What the other side asked. The bytes are the whole PDU. */
export type SmscRequest = { readonly pdu: Pdu; readonly bytes: Buffer }

/** One connected client. */
export type SmscSession = {
  isBound: boolean
  /** Receipts on their way to it. */
  respond(to: SmscRequest, fields: Readonly<Record<string, unknown>>): void
  /** Sends a request; resolves to the answer's command_status, or undefined when none comes. */
  request(command: string, fields: Readonly<Record<string, unknown>>): Promise<number | undefined>
  cut(): void
}

const answerMilliseconds = 10_000
const responseBit = 0x8000_0000

/** Speaks SMPP on a socket: cuts the stream into PDUs and matches answers to our own requests. */
export function openSmscSession(socket: Socket, onRequest: (session: SmscSession, request: SmscRequest) => void): SmscSession {
  const waiting = new Map<number, (status: number | undefined) => void>()
  let rest: Buffer = Buffer.alloc(0)
  let sequence = 0
  const session: SmscSession = {
    isBound: false,
    respond: ({ pdu }, fields) => {
      if (!socket.writable) return
      const command = pdu.command === 'unknown' ? 'generic_nack' : `${pdu.command}_resp`
      socket.write(new PDU(command, { ...fields, sequence_number: pdu.sequence_number }).toBuffer())
    },
    request: (command, fields) => {
      if (!socket.writable) return Promise.resolve(undefined)
      sequence += 1
      const number = sequence
      socket.write(new PDU(command, { ...fields, sequence_number: number }).toBuffer())
      return new Promise((resolve) => {
        const timer = setTimeout(() => waiting.get(number)?.(undefined), answerMilliseconds)
        waiting.set(number, (status) => {
          clearTimeout(timer)
          waiting.delete(number)
          resolve(status)
        })
      })
    },
    cut: () => socket.destroy(),
  }

  function receive(bytes: Buffer): void {
    const pdu = new PDU(bytes)
    if (pdu.command_id >= responseBit) waiting.get(pdu.sequence_number)?.(pdu.command_status)
    else onRequest(session, { pdu, bytes })
  }

  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    let bytes = Buffer.concat([rest, chunk])
    while (bytes.length >= 16 && bytes.length >= bytes.readUInt32BE(0)) {
      const length = Math.max(16, bytes.readUInt32BE(0))
      receive(bytes.subarray(0, length))
      bytes = bytes.subarray(length)
    }
    rest = bytes
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    session.isBound = false
    for (const resolve of waiting.values()) resolve(undefined)
  })
  return session
}
