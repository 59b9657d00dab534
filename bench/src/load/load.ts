import { Pool } from 'undici'

export type LoadRequest = {
  readonly path: string
  readonly key: string
  /** Header of the key, if not `authorization`. */
  readonly keyHeader?: string
  readonly body?: unknown
}

export type Target = {
  /** `https://localhost:8443`, or plain HTTP for the simulator. */
  readonly origin: string
  readonly ca?: string
}

export type LoadResult = {
  readonly answered: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Answers by status. 0 counts requests without an answer. */
  readonly statuses: Readonly<Record<number, number>>
}

/**
 * A run at full speed ends after these seconds, after this many requests or when `isOver` holds, whatever comes first. A run
 * at a rate uses only the seconds.
 */
export type LoadLength = {
  readonly seconds: number
  readonly requests?: number
  readonly isOver?: () => boolean
  /** Called when the measuring begins. With it, `runAtFullSpeed` first sends unmeasured requests for 200 ms. */
  readonly onMeasured?: () => void
}

export type LoadOptions = LoadLength & {
  readonly target: Target
  readonly connections: number
  /** `index` counts from 0 over the whole run. Requests that are sent together count as one. */
  readonly request: (index: number) => LoadRequest | readonly LoadRequest[]
  /** Number of requests sent together, each over its own connection. */
  readonly together?: number
}

/** @throws Error when any answer was not 200, because the figures would be worthless */
export function mustAllSucceed(name: string, result: LoadResult): LoadResult {
  const failed = Object.entries(result.statuses).filter(([status]) => status !== '200')
  if (failed.length > 0) throw new Error(`${name}: not every answer was 200: ${JSON.stringify(result.statuses)}`)
  return result
}

function openPool({ target, connections, together = 1 }: LoadOptions): Pool {
  return new Pool(target.origin, {
    connections: connections * together,
    pipelining: 1,
    ...(target.ca === undefined ? {} : { connect: { ca: target.ca } }),
  })
}

/**
 * Sends one request. Resolves with its status after the whole answer, which is discarded as it comes: the load generator
 * takes its CPU from the server on the same machine.
 */
function sendOne(pool: Pool, { path, key, keyHeader = 'authorization', body }: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0
    pool.dispatch(
      {
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? [keyHeader, key] : [keyHeader, key, 'content-type', 'application/json'],
        body: body === undefined ? null : JSON.stringify(body),
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData() {},
        onResponseEnd() {
          resolve(status)
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
}

/** Returns the status of the answer; for requests that are sent together, the first status that is not 200, if any. */
function send(pool: Pool, asked: LoadRequest | readonly LoadRequest[]): Promise<number> {
  if (!('length' in asked)) return sendOne(pool, asked)
  return Promise.all(asked.map((one) => sendOne(pool, one))).then((statuses) => statuses.find((status) => status !== 200) ?? 200)
}

function summarise(times: number[], statuses: Record<number, number>, seconds: number): LoadResult {
  const sorted = Float64Array.from(times).toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { answered: times.length, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), statuses }
}

/**
 * Requests are sent for this long before the measurement begins. They open the TLS connections, each as costly as some ten
 * requests, and wake a rested process, which would otherwise distort a short measurement.
 */
const leadInMilliseconds = 200

/** Keeps one request on every connection, to measure throughput. */
export async function runAtFullSpeed(options: LoadOptions): Promise<LoadResult> {
  const pool = openPool(options)
  const { requests = Number.POSITIVE_INFINITY, isOver = () => false, onMeasured } = options
  let times: number[] = []
  let statuses: Record<number, number> = {}
  let index = 0
  async function sendUntil(endsAt: number): Promise<void> {
    while (performance.now() < endsAt && index < requests && !isOver()) {
      const sentAt = performance.now()
      const status = await send(pool, options.request(index++)).catch(() => 0)
      times.push(performance.now() - sentAt)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const sendAll = (endsAt: number) => Promise.all(Array.from({ length: options.connections }, () => sendUntil(endsAt)))
  if (onMeasured) {
    await sendAll(performance.now() + leadInMilliseconds)
    times = []
    statuses = {}
    onMeasured()
  }
  const startedAt = performance.now()
  await sendAll(startedAt + options.seconds * 1_000)
  const seconds = (performance.now() - startedAt) / 1_000
  await pool.close()
  return summarise(times, statuses, seconds)
}

/**
 * Sends requests at a constant rate, whatever the server does. Latency counts from the moment a request was due, so a stall
 * shows in every request that it delayed.
 */
export async function runAtRate(options: LoadOptions & { readonly perSecond: number }): Promise<LoadResult> {
  const pool = openPool(options)
  const times: number[] = []
  const statuses: Record<number, number> = {}
  const total = Math.round(options.perSecond * options.seconds)
  const startedAt = performance.now()
  const flying: Promise<void>[] = []
  for (let index = 0; index < total; index += 1) {
    const dueAt = startedAt + (index * 1_000) / options.perSecond
    const wait = dueAt - performance.now()
    if (wait > 0.5) await new Promise((resolve) => setTimeout(resolve, wait))
    // A timer may fire a little early; latency then counts from the send.
    const countsFrom = Math.min(dueAt, performance.now())
    flying.push(
      send(pool, options.request(index))
        .catch(() => 0)
        .then((status) => {
          times.push(performance.now() - countsFrom)
          statuses[status] = (statuses[status] ?? 0) + 1
        }),
    )
  }
  await Promise.all(flying)
  const seconds = (performance.now() - startedAt) / 1_000
  await pool.close()
  return summarise(times, statuses, seconds)
}
