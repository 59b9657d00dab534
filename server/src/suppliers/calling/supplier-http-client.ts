import { Pool } from 'undici'
import { createPace, type Pace, type PaceLimits } from './pace.ts'

export type SupplierTimeouts = {
  readonly connectSeconds: number
  /** Time limit of a call, from its start to the last byte of the answer, including the wait for a slot. */
  readonly callSeconds: number
}

export type SupplierHttpClient = {
  readonly pool: Pool
  readonly pace: Pace
  readonly basePath: string
  readonly timeouts: SupplierTimeouts
  close(): Promise<void>
}

export type SupplierHttpClientOptions = PaceLimits & {
  /** `https://host/path`; the path precedes every call's path. */
  readonly baseUrl: string
  readonly timeouts: SupplierTimeouts
  /** The pace of another client of the same supplier, so that both share its limits. */
  readonly pace?: Pace
}

/**
 * Idle connections are closed before a usual server closes them: a call on a connection that is being closed would be
 * `unknown`.
 */
const keepAliveMilliseconds = 2_000

/** Opens a client for a supplier. The first call makes the first connection. */
export function openSupplierHttpClient(options: SupplierHttpClientOptions): SupplierHttpClient {
  const url = new URL(options.baseUrl)
  const callMilliseconds = options.timeouts.callSeconds * 1_000
  const pool = new Pool(url.origin, {
    connections: options.slots,
    // One request at a time per connection: a second one behind it would be lost with a broken connection too.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: options.timeouts.connectSeconds * 1_000 },
    keepAliveTimeout: keepAliveMilliseconds,
    keepAliveMaxTimeout: keepAliveMilliseconds,
    headersTimeout: callMilliseconds,
    bodyTimeout: callMilliseconds,
  })
  return {
    pool,
    pace: options.pace ?? createPace(options),
    basePath: url.pathname.replace(/\/+$/, ''),
    timeouts: options.timeouts,
    close: () => pool.close(),
  }
}
