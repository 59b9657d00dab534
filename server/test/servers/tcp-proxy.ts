import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One connection through the proxy: the socket of the client, and the socket to the server behind the proxy. */
export type ProxiedConnection = {
  readonly client: Socket
  readonly server: Socket
  /** Ends both sides at once, as a broken cable does. */
  cut(): void
}

/** What becomes of a piece of data that an inspector has seen: it is passed on, perhaps changed, or dropped. */
export type Inspector = {
  readonly fromClient: (data: Buffer) => Buffer | undefined
  readonly fromServer: (data: Buffer) => Buffer | undefined
}

/** A proxy between a process and a server, which can cut, block and slow down connections. */
export type TcpProxy = {
  readonly port: number
  /** Ends every connection; new ones are taken. */
  cutAll(): void
  /** Nothing passes any more in either direction, without an error; new connections hang too. */
  blackHole(): void
  /** Delays everything by this much, in each direction. */
  delay(milliseconds: number): void
  /** Makes the proxy work normally again. After a black hole all connections are cut, because it has dropped data of theirs. */
  heal(): void
  close(): Promise<void>
}

export type TcpProxyOptions = {
  /** Where the server is, asked for at each connection: a path of a unix socket, or a port of the loopback. */
  readonly target: () => Promise<string | number>
  readonly inspect?: (connection: ProxiedConnection) => Inspector
}

const passOn: Inspector = { fromClient: (data) => data, fromServer: (data) => data }

/** The state of the proxy that all its connections share. */
type Cable = { isBlackHole: boolean; delayMilliseconds: number }

function forward(cable: Cable, data: Buffer | undefined, to: Socket): void {
  if (cable.isBlackHole || !data) return
  // Timers of one length fire in the order they were set, so pieces keep their order.
  if (cable.delayMilliseconds > 0) setTimeout(() => void (to.writable && to.write(data)), cable.delayMilliseconds)
  else if (to.writable) to.write(data)
}

/** Passes data in both directions until one side ends or the connection is cut. */
function joinSides(cable: Cable, connection: ProxiedConnection, { fromClient, fromServer }: Inspector): void {
  const { client, server } = connection
  client.on('data', (data: Buffer) => forward(cable, fromClient(data), server))
  server.on('data', (data: Buffer) => forward(cable, fromServer(data), client))
  // In a black hole, neither side learns that the other one has closed.
  const endBoth = () => void (cable.isBlackHole || connection.cut())
  client.on('close', endBoth)
  server.on('close', endBoth)
}

/** Opens a proxy on a free port of the loopback. */
export async function openTcpProxy({ target, inspect = () => passOn }: TcpProxyOptions): Promise<TcpProxy> {
  const connections = new Set<ProxiedConnection>()
  const cable: Cable = { isBlackHole: false, delayMilliseconds: 0 }

  async function take(client: Socket): Promise<void> {
    client.on('error', () => undefined)
    const to = await target()
    const server = connect(typeof to === 'number' ? { host: '127.0.0.1', port: to } : { path: to })
    server.on('error', () => undefined)
    const connection: ProxiedConnection = {
      client,
      server,
      cut() {
        connections.delete(connection)
        client.resetAndDestroy()
        server.destroy()
      },
    }
    connections.add(connection)
    joinSides(cable, connection, inspect(connection))
  }

  const listener = createServer((client) => {
    take(client).catch(() => client.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cutAll = () => {
    for (const connection of connections) connection.cut()
  }

  return {
    port: (listener.address() as AddressInfo).port,
    cutAll,
    blackHole: () => void (cable.isBlackHole = true),
    delay: (milliseconds) => void (cable.delayMilliseconds = milliseconds),
    heal() {
      if (cable.isBlackHole) cutAll()
      cable.isBlackHole = false
      cable.delayMilliseconds = 0
    },
    async close() {
      cutAll()
      listener.close()
      await once(listener, 'close')
    },
  }
}
