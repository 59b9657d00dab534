import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to those who ask for any: no connection and no other server takes such a port while
 * its process is not there yet, or is dead.
 */
const ports = { first: 12_000, end: 30_000 } as const

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen(port, '127.0.0.1')
  const [tried] = await Promise.allSettled([listening])
  if (tried.status === 'rejected') return false
  server.close()
  await once(server, 'close')
  return true
}

/** A port of the loopback that was free a moment ago: processes that restart must come back at the same address. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.first, ports.end)
    if (await isFree(port)) return port
  }
}
