import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'

/**
 * Limits the idle connections of one address to `most`: the one that has been idle longest is closed for a new one.
 * Connections with a running request do not count.
 * @param isExempt true when an address may hold any number, as a proxy does for all its clients
 */
export function limitIdleConnections(server: Server, most: number, isExempt: (address: string) => boolean): void {
  /** A set keeps the order in which members were added, so the first one has been idle longest. */
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

  // A TLS connection is watched after its handshake, which has a time-out of its own.
  server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', watch)
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const address = addresses.get(socket)
    if (address === undefined) return
    forget(socket, address)
    response.once('close', () => rest(socket, address))
  })
}
