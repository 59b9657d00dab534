import { connect as connectPlainly, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { openOutgoing } from './open-outgoing.ts'
import { openPduStream, type Pdu, readPdu, writePdu } from './pdu.ts'

/** Where an SMSC listens. */
export type SmppAddress = { readonly host: string; readonly port: number; readonly isSecure: boolean }

/** Whom a TLS connection believes. Without `ca` the authorities that Node knows; without `serverName` the address's own host. */
export type SmppTrust = { readonly ca?: string; readonly serverName?: string }

/** What became of a request: its response, or why there is none. `isSent` false: not a byte of it left. */
export type Exchange =
  | { readonly response: Pdu }
  | {
      readonly response: undefined
      readonly isSent: boolean
      readonly why: string
      /** After a time-out: the response, should it still come; undefined once it cannot come on this connection any more. */
      readonly late?: Promise<Pdu | undefined>
    }

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
  onRequest(connection: SmppConnection, pdu: Pdu): void
  /** Called once, whatever ended it. */
  onClose(why: string): void
}

type Waiting = { readonly resolve: (exchange: Exchange) => void; readonly timer: NodeJS.Timeout }

const responseBit = 0x8000_0000
const sequenceMax = 0x7fff_ffff
const connectMilliseconds = 10_000

/** So many requests whose time ran out are remembered; beyond it the oldest is given up. */
const lateMax = 5_000

/** An answer to no known command: the only response whose command does not end so. */
function isResponse(pdu: Pdu): boolean {
  return pdu.command_id >= responseBit
}

function openSocket({ host, port, isSecure }: SmppAddress, { ca, serverName }: SmppTrust): Socket {
  // An IP address is no server name (RFC 6066, section 3); Node then holds the certificate to the address itself.
  const servername = serverName ?? (isIP(host) === 0 ? host : undefined)
  const socket = isSecure
    ? connectSecurely({ host, port, ...(ca === undefined ? {} : { ca }), ...(servername === undefined ? {} : { servername }) })
    : connectPlainly({ host, port })
  socket.setNoDelay(true)
  socket.setTimeout(connectMilliseconds, () => socket.destroy(new Error('no connection in time')))
  return socket
}

/**
 * Connects to an SMSC. What the `smpp` package leaves out is here: every request has a time-out, a response that comes
 * later is still handed on, and when the connection ends every request without a response learns of it.
 */
export function connectSmpp(address: SmppAddress, trust: SmppTrust, events: SmppConnectionEvents): Promise<SmppConnection> {
  const socket = openSocket(address, trust)
  const stream = openPduStream()
  const waiting = new Map<number, Waiting>()
  const late = new Map<number, (response: Pdu | undefined) => void>()
  let sequence = 0
  let heardAt = performance.now()
  let endedWhy: string | undefined
  const outgoing = openOutgoing(socket)

  function finish(why: string): void {
    if (endedWhy !== undefined) return
    endedWhy = why
    for (const { resolve, timer } of waiting.values()) {
      clearTimeout(timer)
      resolve({ response: undefined, isSent: true, why })
    }
    waiting.clear()
    for (const resolve of late.values()) resolve(undefined)
    late.clear()
    events.onClose(why)
  }

  /** Goes on waiting for a response whose time ran out. */
  function remember(number: number): Promise<Pdu | undefined> {
    const [oldest] = late.keys()
    if (oldest !== undefined && late.size >= lateMax) takeLate(oldest, undefined)
    return new Promise((resolve) => late.set(number, resolve))
  }

  function takeLate(number: number, response: Pdu | undefined): void {
    late.get(number)?.(response)
    late.delete(number)
  }

  function receive(bytes: Buffer): void {
    const pdu = readPdu(bytes)
    if (!isResponse(pdu)) {
      events.onRequest(connection, pdu)
      return
    }
    const asked = waiting.get(pdu.sequence_number)
    if (!asked) {
      takeLate(pdu.sequence_number, pdu)
      return
    }
    waiting.delete(pdu.sequence_number)
    clearTimeout(asked.timer)
    asked.resolve({ response: pdu })
  }

  socket.on('data', (chunk: Buffer) => {
    heardAt = performance.now()
    try {
      for (const bytes of stream.push(chunk)) receive(bytes)
    } catch (error) {
      // After a length that makes no sense, nothing that follows can be trusted.
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
          const why = `no answer to ${command} in ${waitSeconds} s`
          resolve({ response: undefined, isSent: true, why, late: remember(number) })
        }, waitSeconds * 1_000)
        waiting.set(number, { resolve, timer })
        outgoing.write(writePdu(command, { ...fields, sequence_number: number }))
      })
    },
    respond(to, command, fields) {
      if (socket.writable) outgoing.write(writePdu(command, { ...fields, sequence_number: to.sequence_number }))
    },
    lastHeardAt: () => heardAt,
    end: () => {
      outgoing.flush()
      socket.end()
    },
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
