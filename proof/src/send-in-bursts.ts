import { setTimeout as sleep } from 'node:timers/promises'

export type Bursts = {
  readonly seconds: number
  /** Requests that leave at the same moment. */
  readonly size: number
  readonly everyMilliseconds: number
  /** The load lasts at least until this has ended. */
  readonly until?: Promise<unknown>
}

/**
 * No burst starts while this many requests wait for their outcome, because a machine that is too slow would never catch up.
 */
const waitingMax = 1_024

/**
 * Starts bursts of requests at fixed times, even if earlier ones are not answered yet: a load that waited for the server
 * would hide its stalls. Resolves when all have ended; when one rejects, no further burst starts.
 * @param send gets the number of the request, counted from 0 over all bursts
 */
export async function sendInBursts(bursts: Bursts, send: (no: number) => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = []
  const failed = new AbortController()
  const startedAt = performance.now()
  const count = Math.ceil((bursts.seconds * 1_000) / bursts.everyMilliseconds)
  let waiting = 0
  const ending = { isAwaited: bursts.until !== undefined }
  const end = () => void (ending.isAwaited = false)
  bursts.until?.then(end, end)
  for (let burst = 0; (burst < count || ending.isAwaited) && !failed.signal.aborted; burst += 1) {
    const size = waiting < waitingMax ? bursts.size : 0
    for (let place = 0; place < size; place += 1) {
      const sending = send(sent.length)
      waiting += 1
      sending.then(
        () => (waiting -= 1),
        () => failed.abort(),
      )
      sent.push(sending)
    }
    const next = startedAt + (burst + 1) * bursts.everyMilliseconds
    await sleep(Math.max(0, next - performance.now()))
  }
  await Promise.all(sent)
}
