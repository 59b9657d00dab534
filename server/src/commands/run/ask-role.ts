import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Config } from '../../config.ts'

const answerMilliseconds = 2_000

/** The HTTP status of one of our processes on this machine; 0 when it does not answer in time. */
function statusOf(secure: boolean, options: RequestOptions & { rejectUnauthorized?: boolean }): Promise<number> {
  return new Promise((resolve) => {
    const request = (secure ? requestSecure : requestPlain)(
      { ...options, timeout: answerMilliseconds, agent: false },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(0))
    request.end()
  })
}

/** The address at which this machine reaches a server that listens on `host`. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/**
 * Asks the API of this machine at `/readyz`. Its certificate, which may be made for a public name, is not checked.
 *
 * @returns 200 when it takes requests, 503 when it does not, 0 without an answer
 */
export function askApi({ tls, host, port }: Pick<Config, 'tls' | 'host' | 'port'>): Promise<number> {
  const isSecure = tls.kind !== 'proxy'
  const headers = isSecure ? {} : { 'x-forwarded-proto': 'https' }
  return statusOf(isSecure, { host: loopbackOf(host), port, path: '/readyz', rejectUnauthorized: false, headers })
}

/**
 * Asks a worker of this machine for its metrics, because it has no other open port.
 * @returns the HTTP status; 0 when the worker does not answer, or serves no metrics
 */
export async function askWorker({ metrics }: Pick<Config, 'metrics'>): Promise<number> {
  if (!metrics) return 0
  return statusOf(false, { host: loopbackOf(metrics.host), port: metrics.port, path: '/metrics' })
}
