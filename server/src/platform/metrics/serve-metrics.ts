import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './open-metrics.ts'

export type MetricsServer = { readonly url: string; close(): Promise<void> }

const requestMilliseconds = 5_000
const connectionsMax = 16

/**
 * Serves `/metrics` on a port of its own, in plain HTTP: it is for the machine or the private network of Prometheus, and
 * must not be reachable from elsewhere.
 *
 * @param port 0 takes any free one
 */
export async function serveMetrics(metrics: Metrics, { host, port }: { host: string; port: number }): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: requestMilliseconds }, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end('Only GET /metrics is here.\n')
      return
    }
    metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end('The metrics could not be read.\n'),
    )
  })
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
