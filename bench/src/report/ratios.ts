import type { Ratio } from './report.ts'

function ratioOf(name: string, value: number, goal: number, behind: string, isAtMost = false): Ratio {
  return { name, value, goal: `${isAtMost ? '≤' : '≥'} ${goal}`, isMet: isAtMost ? value <= goal : value >= goal, behind }
}

/** The ratios of the measured paths to their baselines. */
export function pathRatios(paths: ReadonlyMap<string, number>): Ratio[] {
  const get = (name: string) => paths.get(name) ?? Number.NaN
  const per = (name: string) => `${Math.round(get(name)).toLocaleString('en-US')}/s`
  const against = (title: string, name: string, base: string, goal: number) =>
    ratioOf(title, get(name) / get(base), goal, `${per(name)} against ${per(base)}`)
  const bulkOrders = get('bulk of 100') * 100
  return [
    against('purchase ÷ empty route', 'purchase, 1,000 wallets', 'empty route', 0.6),
    against('one hot wallet ÷ 1,000 wallets', 'purchase, one wallet', 'purchase, 1,000 wallets', 0.9),
    against('purchase ÷ textbook, 1,000 wallets', 'purchase, 1,000 wallets', 'textbook, 1,000 wallets', 5),
    against('purchase ÷ textbook, one hot wallet', 'purchase, one wallet', 'textbook, one wallet', 20),
    against('GET /orders/{reference} ÷ empty route', 'GET /orders/{reference}', 'empty route', 0.5),
    against('GET /packages ÷ empty route', 'GET /packages', 'empty route', 0.85),
    ratioOf(
      'orders through /data/bulk ÷ singly',
      bulkOrders / get('purchase, 1,000 wallets'),
      3,
      `${Math.round(bulkOrders)}/s against ${per('purchase, 1,000 wallets')}`,
    ),
  ]
}

/** The other figures of a run, besides the throughput of the paths. */
export type OtherFigures = {
  /** p50 in milliseconds, by name. */
  readonly alone: ReadonlyMap<string, number>
  /** Purchases per second before and after orders were stored. */
  readonly history: { readonly before: number; readonly after: number }
  readonly drain: { readonly ordersPerSecond: number; readonly emptyCallsPerSecond: number }
  readonly memoryMegabytes: number
  readonly startMilliseconds: number
}

/** The ratios that are not throughput: latency, speed with many stored orders, the drain, memory and the start. */
export function otherRatios(figures: OtherFigures, stored: number): Ratio[] {
  const { alone, history, drain, memoryMegabytes, startMilliseconds } = figures
  const [ours, textbook] = [alone.get('purchase alone') ?? Number.NaN, alone.get('textbook alone') ?? Number.NaN]
  return [
    ratioOf(
      'latency alone ÷ textbook',
      ours / textbook,
      1.1,
      `p50 ${ours.toFixed(2)} ms against ${textbook.toFixed(2)} ms`,
      true,
    ),
    ratioOf(
      `with ${stored.toLocaleString('en-US')} orders more ÷ before`,
      history.after / history.before,
      0.85,
      `${Math.round(history.after)}/s against ${Math.round(history.before)}/s`,
    ),
    ratioOf(
      'drain ÷ empty calls to the simulator',
      drain.ordersPerSecond / drain.emptyCallsPerSecond,
      0.5,
      `${Math.round(drain.ordersPerSecond)} orders/s against ${Math.round(drain.emptyCallsPerSecond)} calls/s`,
    ),
    ratioOf('memory of the API under load, MB', memoryMegabytes, 200, `${Math.round(memoryMegabytes)} MB resident`, true),
    ratioOf('start to first answer, s', startMilliseconds / 1_000, 2, `${startMilliseconds} ms with an existing database`, true),
  ]
}
