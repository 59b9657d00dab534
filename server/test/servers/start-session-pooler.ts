import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A server connection of the pooler. What the server sends goes to the client that holds it. */
type Backend = { readonly socket: Socket; holder: Socket | undefined }

const protocolVersion = 196_608
const wantsEncryption = 80_877_103

/** Splits a stream into messages of PostgreSQL's protocol; the first of a client has no type. */
function readMessages(isClient: boolean, onMessage: (message: Buffer, type: string) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  let hasStarted = !isClient
  return (data) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const start = hasStarted ? 1 : 0
      if (rest.length < start + 4) return
      const length = start + rest.readInt32BE(start)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      const type = hasStarted ? String.fromCharCode(message[0] ?? 0) : 'startup'
      if (!hasStarted && message.readInt32BE(4) === protocolVersion) hasStarted = true
      onMessage(message, type)
    }
  }
}

function withType(type: string, body: Buffer): Buffer {
  const message = Buffer.alloc(5 + body.length)
  message.write(type)
  message.writeInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}

/** The message that starts a session, without its parameter `options`. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8, -2).toString().split('\0')
  const kept = words.filter((_word, index) => words[index - (index % 2)] !== 'options')
  const body = Buffer.from(`${kept.join('\0')}\0\0`)
  const message = Buffer.alloc(8 + body.length)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(protocolVersion, 4)
  body.copy(message, 8)
  return message
}

/** The messages that a client needs before its first statement: it is logged in, and the server is ready. */
const welcome = Buffer.concat([
  withType('R', Buffer.from([0, 0, 0, 0])),
  withType('K', Buffer.alloc(8)),
  withType('Z', Buffer.from('I')),
])

export type SessionPoolerOptions = {
  /** The database behind. */
  readonly url: string
  /**
   * True: the start parameter `options` is ignored, as PgBouncer can be told to do. False: a session keeps the
   * `options` that it was opened with.
   */
  readonly dropsOptions: boolean
}

type Backends = {
  /** The server connection for what a client says now: the one that it holds, else one that is free. */
  readonly forClient: (client: Socket, startup: Buffer) => Socket
  readonly destroy: () => void
}

/** The server's connections. Each goes back to the free ones when its transaction has ended. */
function openBackends({ url, dropsOptions }: SessionPoolerOptions): Backends {
  const target = new URL(url)
  const port = Number(target.port || 5432)
  const folder = target.searchParams.get('host')
  const idle: Backend[] = []
  const held = new Map<Socket, Backend>()
  const sockets = new Set<Socket>()

  function openBackend(startup: Buffer, holder: Socket): Backend {
    const socket = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname)
    const backend: Backend = { socket, holder }
    let isWelcomed = false
    sockets.add(socket.on('error', () => undefined))
    socket.write(dropsOptions ? withoutOptions(startup) : startup)
    socket.on(
      'data',
      readMessages(false, (message, type) => {
        if (isWelcomed) backend.holder?.write(message)
        const isIdle = type === 'Z' && message.toString('latin1', 5) === 'I'
        if (isWelcomed && isIdle) {
          backend.holder = undefined
          idle.push(backend)
        }
        isWelcomed ||= isIdle
      }),
    )
    return backend
  }

  return {
    forClient(client, startup) {
      const mine = held.get(client)
      if (mine?.holder === client) return mine.socket
      const backend = idle.pop() ?? openBackend(startup, client)
      backend.holder = client
      held.set(client, backend)
      return backend.socket
    },
    destroy() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/**
 * A small pooler that works like PgBouncer in transaction mode: a client has a server connection from its first
 * statement to the end of the transaction; then the next client gets it.
 */
export async function startSessionPooler(options: SessionPoolerOptions) {
  const backends = openBackends(options)
  const clients = new Set<Socket>()
  const listener = createServer((client) => {
    clients.add(client.on('error', () => undefined))
    let startup = Buffer.alloc(0)
    client.on(
      'data',
      readMessages(true, (message, type) => {
        if (type === 'startup') {
          startup = Buffer.from(message)
          client.write(message.readInt32BE(4) === wantsEncryption ? 'N' : welcome)
          return
        }
        if (type === 'X') return
        backends.forClient(client, startup).write(message)
      }),
    )
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(options.url)
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as AddressInfo).port)
  url.searchParams.delete('host')
  return {
    url: url.href,
    async stop() {
      for (const client of clients) client.destroy()
      backends.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
