import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** Finds a port that is free now. For a process whose address others must know before it listens. */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
