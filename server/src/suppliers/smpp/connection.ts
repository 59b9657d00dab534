import { connect as connectPlainly, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { type Exchange, openExchanges } from './exchanges.ts'
import { openPduOutput } from './open-pdu-output.ts'
import { createPduStream, createPduWriter, type Pdu, readPdu } from './pdu.ts'

export type SmppAddress = { readonly host: string; readonly port: number; readonly isSecure: boolean }

/**
 * Trust of a TLS connection: `ca`, or the authorities that Node knows. The certificate's name must be `serverName`, or the
 * address's host.
 */
export type SmppTrust = { readonly ca?: string; readonly serverName?: string }

export type SmppConnection = {
  /** Sends a request and waits for its response. Never throws. */
  request(command: string, fields: Readonly<Record<string, unknown>>, waitSeconds: number): Promise<Exchange>
  /** Answers a request of the SMSC. */
  respond(to: Pdu, command: string, fields: Readonly<Record<string, unknown>>): void
  /** Time of the last received data, in the process's monotonic milliseconds. */
  lastHeardAt(): number
  /** Closes after everything written was sent. */
  end(): void
  destroy(why: string): void
}

export type SmppConnectionEvents = {
  onRequest(connection: SmppConnection, pdu: Pdu): void
  /** Called once when the connection has ended, whatever the cause. */
  onClose(why: string): void
}

const responseBit = 0x8000_0000
const connectMilliseconds = 10_000

/** Responses have this bit in their command id. The command's name cannot tell: `generic_nack` does not end in `_resp`. */
function isResponse(pdu: Pdu): boolean {
  return pdu.command_id >= responseBit
}

function openSocket({ host, port, isSecure }: SmppAddress, { ca, serverName }: SmppTrust): Socket {
  // An IP address cannot be a server name (RFC 6066, section 3); Node then compares the certificate with the address.
  const servername = serverName ?? (isIP(host) === 0 ? host : undefined)
  const socket = isSecure
    ? connectSecurely({ host, port, ...(ca === undefined ? {} : { ca }), ...(servername === undefined ? {} : { servername }) })
    : connectPlainly({ host, port })
  socket.setNoDelay(true)
  socket.setTimeout(connectMilliseconds, () => socket.destroy(new Error('no connection in time')))
  return socket
}

function readPdus(socket: Socket, onHeard: () => void, onPdu: (pdu: Pdu) => void): void {
  const stream = createPduStream()
  socket.on('data', (chunk: Buffer) => {
    onHeard()
    try {
      for (const bytes of stream.push(chunk)) onPdu(readPdu(bytes))
    } catch (error) {
      // A PDU had an impossible length. Nothing after it can be read, so the connection is closed.
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/**
 * Connects to an SMSC. When the connection ends, every open request resolves without a response.
 * @throws Error when no connection is made
 */
export function connectSmpp(address: SmppAddress, trust: SmppTrust, events: SmppConnectionEvents): Promise<SmppConnection> {
  const socket = openSocket(address, trust)
  const outgoing = openPduOutput(socket)
  const exchanges = openExchanges()
  const write = createPduWriter()
  let heardAt = performance.now()
  let endedWhy: string | undefined

  function finish(why: string): void {
    if (endedWhy !== undefined) return
    endedWhy = why
    exchanges.end(why)
    events.onClose(why)
  }

  const connection: SmppConnection = {
    request(command, fields, waitSeconds) {
      if (endedWhy !== undefined || !socket.writable) {
        return Promise.resolve({ response: undefined, isSent: false, why: endedWhy ?? 'the connection is closing' })
      }
      return exchanges.begin(command, waitSeconds, (number) => outgoing.write(write(command, number, fields)))
    },
    respond(to, command, fields) {
      if (socket.writable) outgoing.write(write(command, to.sequence_number, fields))
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
  const onHeard = () => {
    heardAt = performance.now()
  }
  readPdus(socket, onHeard, (pdu) => (isResponse(pdu) ? exchanges.handleResponse(pdu) : events.onRequest(connection, pdu)))

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
