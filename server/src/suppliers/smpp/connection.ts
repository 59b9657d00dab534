import { connect as connectPlainly, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { openPduStream, type Pdu, readPdu, writePdu } from './pdu.ts'

/** Where an SMSC listens. */
export type SmppAddress = { readonly host: string; readonly port: number; readonly isSecure: boolean }

/** What became of a request: its response, or why there is none. `isSent` false: not a byte of it left. */
export type Exchange =
  | { readonly response: Pdu }
  | { readonly response: undefined; readonly isSent: boolean; readonly why: string }

export type SmppConnection = {
  /** Sends a request and waits for its response. Never throws. */
  request(command: string, fields: Readonly<Record<string, unknown>>, waitSeconds: number): Promise<Exchange>
  /** Answers a request of the other side. */
  respond(to: Pdu, command: string, fields: Readonly<Record<string, unknown>>): void
  /** Milliseconds of the process since anything was last received. */
  lastHeardAt(): number
  /** Closes in order, after what was written. */
  end(): void
  destroy(why: string): void
}

export type SmppConnectionEvents = {
  onRequest(pdu: Pdu): void
  /** Called once, whatever ended it. */
  onClose(why: string): void
}

type Waiting = { readonly resolve: (exchange: Exchange) => void; readonly timer: NodeJS.Timeout }

const responseBit = 0x8000_0000
const sequenceMax = 0x7fff_ffff
const connectMilliseconds = 10_000

/** An answer to no known command: the only response whose command does not end so. */
function isResponse(pdu: Pdu): boolean {
  return pdu.command_id >= responseBit
}

function openSocket(address: SmppAddress): Socket {
  const { host, port } = address
  const socket = address.isSecure ? connectSecurely({ host, port, servername: host }) : connectPlainly({ host, port })
  socket.setNoDelay(true)
  socket.setTimeout(connectMilliseconds, () => socket.destroy(new Error('no connection in time')))
  return socket
}

/**
 * Connects to an SMSC. What the `smpp` package leaves out is here: every request has a time-out, and when the
 * connection ends every request under way is told so.
 */
export function connectSmpp(address: SmppAddress, events: SmppConnectionEvents): Promise<SmppConnection> {
  const socket = openSocket(address)
  const stream = openPduStream()
  const waiting = new Map<number, Waiting>()
  let sequence = 0
  let heardAt = performance.now()
  let endedWhy: string | undefined

  function finish(why: string): void {
    if (endedWhy !== undefined) return
    endedWhy = why
    for (const { resolve, timer } of waiting.values()) {
      clearTimeout(timer)
      resolve({ response: undefined, isSent: true, why })
    }
    waiting.clear()
    events.onClose(why)
  }

  function receive(bytes: Buffer): void {
    const pdu = readPdu(bytes)
    if (!isResponse(pdu)) {
      events.onRequest(pdu)
      return
    }
    const asked = waiting.get(pdu.sequence_number)
    if (!asked) return
    waiting.delete(pdu.sequence_number)
    clearTimeout(asked.timer)
    asked.resolve({ response: pdu })
  }

  socket.on('data', (chunk: Buffer) => {
    heardAt = performance.now()
    try {
      for (const bytes of stream.push(chunk)) receive(bytes)
    } catch (error) {
      // After bytes that cannot be read, nothing that follows can be trusted.
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  })

  const connection: SmppConnection = {
    request(command, fields, waitSeconds) {
      if (endedWhy !== undefined || !socket.writable) {
        return Promise.resolve({ response: undefined, isSent: false, why: endedWhy ?? 'the connection is closing' })
      }
      sequence = sequence >= sequenceMax ? 1 : sequence + 1
      const number = sequence
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(number)
          resolve({ response: undefined, isSent: true, why: `no answer to ${command} in ${waitSeconds} s` })
        }, waitSeconds * 1_000)
        waiting.set(number, { resolve, timer })
        socket.write(writePdu(command, { ...fields, sequence_number: number }))
      })
    },
    respond(to, command, fields) {
      if (socket.writable) socket.write(writePdu(command, { ...fields, sequence_number: to.sequence_number }))
    },
    lastHeardAt: () => heardAt,
    end: () => socket.end(),
    destroy: (why) => {
      finish(why)
      socket.destroy()
    },
  }

  return new Promise((resolve, reject) => {
    socket.on('error', (error) => finish(error.message))
    socket.on('close', () => {
      finish('the connection was closed')
      reject(new Error(endedWhy))
    })
    socket.once(address.isSecure ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0)
      resolve(connection)
    })
  })
}
