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

/** A request of the client. `bytes` is the whole PDU. */
export type SmscRequest = { readonly pdu: Pdu; readonly bytes: Buffer }

export type SmscBind = {
  readonly systemId: string
  readonly mode: 'transceiver' | 'receiver' | 'transmitter'
}

export type SmscSession = {
  bind: SmscBind | undefined
  /** Answers a request with these fields. Without `command_status`, the answer is a success. */
  respond(to: SmscRequest, fields: Readonly<Record<string, unknown>>): void
  /** Refuses a request with this status. For an unknown command the answer is a `generic_nack`. */
  refuse(to: SmscRequest, status: number): void
  /** Sends a request. Resolves with the answer's command_status, or undefined when no answer comes. */
  request(command: string, fields: Readonly<Record<string, unknown>>): Promise<number | undefined>
  cut(): void
}

const answerMilliseconds = 10_000
const invalidCommand = 0x03
const headerBytes = 16
const pduBytesMax = 16_384
const responseBit = 0x8000_0000

/** Writes PDUs. Those of one turn of the event loop share one system call, which costs more than a PDU. */
function writeTogether(socket: Socket): (command: string, fields: Readonly<Record<string, unknown>>) => void {
  let outgoing: Buffer[] = []
  return (command, fields) => {
    outgoing.push(new PDU(command, fields).toBuffer())
    if (outgoing.length > 1) return
    setImmediate(() => {
      const together = Buffer.concat(outgoing)
      outgoing = []
      if (socket.writable) socket.write(together)
    })
  }
}

/** Cuts the stream into PDUs. Data that cannot be a PDU closes the connection. */
function readPdus(socket: Socket, receive: (bytes: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    let bytes = Buffer.concat([rest, chunk])
    while (bytes.length >= headerBytes) {
      const length = bytes.readUInt32BE(0)
      // SMPP does not allow a PDU of this length.
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
}

/** Speaks SMPP on a socket, and matches answers to our requests. */
export function openSmscSession(socket: Socket, onRequest: (session: SmscSession, request: SmscRequest) => void): SmscSession {
  const waiting = new Map<number, (status: number | undefined) => void>()
  const write = writeTogether(socket)
  let sequence = 0

  const session: SmscSession = {
    bind: undefined,
    respond: ({ pdu }, fields) => {
      if (socket.writable) write(`${pdu.command}_resp`, { ...fields, sequence_number: pdu.sequence_number })
    },
    refuse: ({ pdu }, status) => {
      const command = status === invalidCommand ? 'generic_nack' : `${pdu.command}_resp`
      if (socket.writable) write(command, { command_status: status, sequence_number: pdu.sequence_number })
    },
    request: (command, fields) => {
      if (!socket.writable) return Promise.resolve(undefined)
      sequence += 1
      const number = sequence
      write(command, { ...fields, sequence_number: number })
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

  socket.setNoDelay(true)
  readPdus(socket, (bytes) => {
    const pdu = new PDU(bytes)
    if (pdu.command_id >= responseBit) waiting.get(pdu.sequence_number)?.(pdu.command_status)
    else onRequest(session, { pdu, bytes })
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    session.bind = undefined
    for (const resolve of waiting.values()) resolve(undefined)
  })
  return session
}
