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

/** What a session is bound for. */
export type SmscBind = {
  readonly systemId: string
  readonly mode: 'transceiver' | 'receiver' | 'transmitter'
}

/** One connected client. */
export type SmscSession = {
  bind: SmscBind | undefined
  /** Answers that it was done. */
  respond(to: SmscRequest, fields: Readonly<Record<string, unknown>>): void
  /** Refuses a request with this status: by `generic_nack` when it pretends not to know the command. */
  refuse(to: SmscRequest, status: number): void
  /** Sends a request; resolves to the answer's command_status, or undefined when none comes. */
  request(command: string, fields: Readonly<Record<string, unknown>>): Promise<number | undefined>
  cut(): void
}

const answerMilliseconds = 10_000
const invalidCommand = 0x03
const headerBytes = 16
const pduBytesMax = 16_384
const responseBit = 0x8000_0000

/** Speaks SMPP on a socket: cuts the stream into PDUs and matches answers to our own requests. */
export function openSmscSession(socket: Socket, onRequest: (session: SmscSession, request: SmscRequest) => void): SmscSession {
  const waiting = new Map<number, (status: number | undefined) => void>()
  let rest: Buffer = Buffer.alloc(0)
  let sequence = 0
  let outgoing: Buffer[] = []

  /** What is written in one turn goes out together: a system call for each PDU costs more than the PDU. */
  function write(bytes: Buffer): void {
    outgoing.push(bytes)
    if (outgoing.length > 1) return
    setImmediate(() => {
      const together = Buffer.concat(outgoing)
      outgoing = []
      if (socket.writable) socket.write(together)
    })
  }

  const session: SmscSession = {
    bind: undefined,
    respond: ({ pdu }, fields) => {
      if (!socket.writable) return
      write(new PDU(`${pdu.command}_resp`, { ...fields, sequence_number: pdu.sequence_number }).toBuffer())
    },
    refuse: ({ pdu }, status) => {
      if (!socket.writable) return
      const command = status === invalidCommand ? 'generic_nack' : `${pdu.command}_resp`
      write(new PDU(command, { command_status: status, sequence_number: pdu.sequence_number }).toBuffer())
    },
    request: (command, fields) => {
      if (!socket.writable) return Promise.resolve(undefined)
      sequence += 1
      const number = sequence
      write(new PDU(command, { ...fields, sequence_number: number }).toBuffer())
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
    while (bytes.length >= headerBytes) {
      const length = bytes.readUInt32BE(0)
      // Such a length is not possible in SMPP, so the connection is closed.
      if (length < headerBytes || length > pduBytesMax) {
        socket.destroy()
        return
      }
      if (bytes.length < length) break
      try {
        receive(bytes.subarray(0, length))
      } catch {
        socket.destroy()
        return
      }
      bytes = bytes.subarray(length)
    }
    rest = bytes
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    session.bind = undefined
    for (const resolve of waiting.values()) resolve(undefined)
  })
  return session
}
