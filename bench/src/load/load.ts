import { Pool } from 'undici'

/** One request of a load. */
export type LoadRequest = {
  readonly path: string
  readonly key: string
  /** Where the key stands, if that is not `authorization`. */
  readonly keyHeader?: string
  readonly body?: unknown
}

export type Target = {
  /** `https://localhost:8443`, or plain HTTP for the simulator. */
  readonly origin: string
  /** The certificate authority to trust. */
  readonly ca?: string
}

/** What a run measured. Times in milliseconds. */
export type LoadResult = {
  readonly answered: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Answers by status; 0 counts requests without one. */
  readonly statuses: Readonly<Record<number, number>>
}

/**
 * A run at full speed ends after these seconds, after so many requests or when it is said to be over, whatever comes
 * first. A run at a rate heeds only the seconds.
 */
export type LoadLength = {
  readonly seconds: number
  readonly requests?: number
  readonly isOver?: () => boolean
  /** Called when the measuring begins. If it is given, `runAtFullSpeed` first sends for 200 ms what is not measured. */
  readonly onMeasured?: () => void
}

export type LoadOptions = LoadLength & {
  readonly target: Target
  readonly connections: number
  /** `index` counts from 0 over the whole run. Several requests are sent together, and count as one. */
  readonly request: (index: number) => LoadRequest | readonly LoadRequest[]
  /** How many requests are sent together, each over a connection of its own. */
  readonly together?: number
}

/**
 * Gives the result back.
 * @throws Error when any answer was not 200, because the figures would be worthless
 */
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
 * Sends one request and resolves with its status when the whole answer has come. The answer is thrown away as it comes,
 * because the load generator takes its CPU from the server on the same machine.
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

/** The status of requests that were sent together is that of the first that failed. */
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
 * To open a connection over TLS costs both sides as much as some ten requests, and a process that has rested is slower for
 * a moment. Both would count more, the shorter the measurement and the slower the server.
 */
const leadInMilliseconds = 200

/** Sends as many requests at a time as there are connections: measures how much goes through. */
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
 * Sends requests at a constant rate, whatever the server does. The time of each request counts from the moment it was
 * due, so a stall shows in every request that it delayed.
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
    // A timer may ring a little early, and then nothing was due before the request was sent.
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
