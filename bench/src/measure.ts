import { emptyRoutePath } from './baselines/empty-route.ts'
import { type LoadOptions, type LoadRequest, type LoadResult, runAtFullSpeed } from './load/load.ts'
import { knownNumber, type Shop } from './open-shop.ts'

const prefix = '/api/v2'

/** References are taken for ever, so every run uses its own. */
let runs = 0

function bundle(reference: string, recipient = knownNumber) {
  return { network: 'MTN', volume_gb: 1, recipient, reference }
}

/** Numbers that nobody asked about yet; none has a scripted ending. */
let unknownNumbers = 0
function unknownNumber(): string {
  unknownNumbers += 1
  return `054${String(Math.floor(unknownNumbers / 900)).padStart(4, '0')}${String(unknownNumbers % 900).padStart(3, '0')}`
}

type RequestMaker = (index: number) => LoadRequest

/** The requests that are measured; `spread` asks as every reseller in turn, `hot` always as the first. */
export function requestsOf(shop: Shop) {
  const run = `${Date.now().toString(36)}-${++runs}`
  const spread = (index: number) => shop.keys[index % shop.keys.length] as string
  const hot = () => shop.keys[0] as string
  // Counted here, because the load's index starts again in every round.
  let references = 0
  const reference = () => `${run}-${++references}`
  const post = (path: string, keyOf: (index: number) => string): RequestMaker => {
    return (index) => ({ path: `${prefix}${path}`, key: keyOf(index), body: bundle(reference()) })
  }
  const bulk: RequestMaker = (index) => ({
    path: `${prefix}/data/bulk`,
    key: spread(index),
    body: { orders: Array.from({ length: 100 }, () => bundle(reference())) },
  })
  return {
    empty: post(emptyRoutePath, spread),
    spread: post('/data/purchase', spread),
    hot: post('/data/purchase', hot),
    bulk,
    unknown: (index: number) => ({
      path: `${prefix}/data/purchase`,
      key: spread(index),
      body: bundle(reference(), unknownNumber()),
    }),
    packages: (index: number) => ({ path: `${prefix}/packages`, key: spread(index) }),
    order: (reference: string) => () => ({ path: `${prefix}/orders/${reference}`, key: hot() }),
    /** One order that is read again and again. */
    first: { path: `${prefix}/data/purchase`, key: hot(), body: bundle(`${run}-first`) },
    firstReference: `${run}-first`,
  }
}

/** A figure with any other status than 200 would be worthless. */
export function mustAllSucceed(name: string, result: LoadResult): LoadResult {
  const failed = Object.entries(result.statuses).filter(([status]) => status !== '200')
  if (failed.length > 0) throw new Error(`${name}: not every answer was 200: ${JSON.stringify(result.statuses)}`)
  return result
}

/** The middle of several values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** One measurement by name. */
export type Contender = { readonly name: string; readonly load: Omit<LoadOptions, 'seconds'> }

/**
 * Runs every measured case once as a warm-up and then in turn for some rounds, so that a slow minute of the machine
 * affects all of them alike.
 */
export async function measureInTurn(
  contenders: readonly Contender[],
  options: { rounds: number; seconds: number; onRun: (name: string, result: LoadResult) => void },
): Promise<Map<string, LoadResult>> {
  const results = new Map<string, LoadResult[]>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const { name, load } of contenders) {
      const isWarmUp = round === 0
      const result = mustAllSucceed(name, await runAtFullSpeed({ ...load, seconds: isWarmUp ? 1 : options.seconds }))
      if (isWarmUp) continue
      results.get(name)?.push(result)
      options.onRun(name, result)
    }
  }
  return new Map(
    [...results].map(([name, runs]) => [
      name,
      {
        answered: runs.reduce((sum, one) => sum + one.answered, 0),
        perSecond: median(runs.map((one) => one.perSecond)),
        p50: median(runs.map((one) => one.p50)),
        p99: median(runs.map((one) => one.p99)),
        statuses: {},
      },
    ]),
  )
}
