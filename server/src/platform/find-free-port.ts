import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * This range is below the ports that operating systems assign by themselves. So no other program gets the port by chance before
 * its process listens there, or while that process is restarted.
 */
const ports = { first: 12_000, end: 30_000 } as const

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen(port, host)
  try {
    await listening
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}

/**
 * Finds a port for a process whose address must be known before the process listens.
 *
 * @throws the system's error where nobody can listen on this host
 */
export async function findFreePort(host: string): Promise<number> {
  for (;;) {
    const port = randomInt(ports.first, ports.end)
    if (await isFree(host, port)) return port
  }
}
