import { Pool } from 'undici'
import { createPace, type Pace, type PaceLimits } from './pace.ts'

/** How long a supplier is waited for. */
export type SupplierTimeouts = {
  readonly connectSeconds: number
  /** How long a call may take, from its start to the last byte of the answer. The wait for a slot counts too. */
  readonly callSeconds: number
}

/** The connections to one supplier, with their pace. */
export type SupplierLine = {
  readonly pool: Pool
  readonly pace: Pace
  readonly basePath: string
  readonly timeouts: SupplierTimeouts
  close(): Promise<void>
}

export type SupplierLineOptions = PaceLimits & {
  /** `https://host/path`; the path is put before every call's own. */
  readonly baseUrl: string
  readonly timeouts: SupplierTimeouts
  /** The pace of another line to the same supplier, whose limits then hold for both together. */
  readonly pace?: Pace
}

/**
 * Idle connections are closed before a usual server closes them: a call written into a connection that is being closed
 * would be `unknown`.
 */
const keepAliveMilliseconds = 2_000

/** Opens the connections to a supplier; none is made before the first call. */
export function openSupplierLine(options: SupplierLineOptions): SupplierLine {
  const url = new URL(options.baseUrl)
  const callMilliseconds = options.timeouts.callSeconds * 1_000
  const pool = new Pool(url.origin, {
    connections: options.slots,
    // One request at a time per connection: if a slow request broke the connection, a second one behind it would be
    // lost too.
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
