import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'

/**
 * Keeps one address from holding more than `most` connections on which nothing is asked: the one that has rested
 * longest is closed for the next. Connections with a request under way do not count.
 *
 * @param isExempt whether an address may hold as many as it likes, as a proxy does for all its clients
 */
export function limitIdleConnections(server: Server, most: number, isExempt: (address: string) => boolean): void {
  /** A set keeps the order of its members, so the first has rested longest. */
  const idleByAddress = new Map<string, Set<Socket>>()
  const addresses = new WeakMap<Socket, string>()

  function forget(socket: Socket, address: string): void {
    const idle = idleByAddress.get(address)
    idle?.delete(socket)
    if (idle?.size === 0) idleByAddress.delete(address)
  }

  function rest(socket: Socket, address: string): void {
    if (socket.destroyed) return
    const idle = idleByAddress.get(address) ?? new Set()
    idleByAddress.set(address, idle.add(socket))
    const [longest] = idle
    if (idle.size > most) longest?.destroy()
  }

  function watch(socket: Socket): void {
    const address = socket.remoteAddress
    if (address === undefined || isExempt(address)) return
    addresses.set(socket, address)
    socket.once('close', () => forget(socket, address))
    rest(socket, address)
  }

  // A TLS connection is watched once its handshake is done; one that never finishes it has a time-out of its own.
  server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', watch)
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const address = addresses.get(socket)
    if (address === undefined) return
    forget(socket, address)
    response.once('close', () => rest(socket, address))
  })
}
