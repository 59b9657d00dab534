import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Outcome } from './client.ts'
import type { ApiProcess } from './describe-processes.ts'
import type { Call, Journal } from './journal.ts'
import { waitUntil } from './wait-until.ts'

export type PlacingDeps = { readonly client: Client; readonly journal: Journal; readonly apis: readonly ApiProcess[] }

/** Longer than any fault of a run, with the recovery after it. */
const patienceSeconds = 150
const pauseMilliseconds = 150

/** Sends a call once to one API process. The journal records the call and its outcome. */
export async function placeOnce({ client, journal }: PlacingDeps, api: ApiProcess, call: Call): Promise<Outcome> {
  journal.recordSend(call)
  const body = call.path === '/data/bulk' ? { orders: call.orders } : call.orders[0]
  const outcome = await client.ask({ url: `${api.url}/api/v2${call.path}`, method: 'POST', key: call.key, body })
  journal.recordOutcome(call, outcome)
  return outcome
}

/** Sends a call to one API process after the other, with the same references, until its outcome is definite. */
export async function placeUntilDefinite(placing: PlacingDeps, call: Call, firstApi = 0): Promise<Outcome> {
  const startedAt = performance.now()
  for (let tries = 0; ; tries += 1) {
    const api = placing.apis[(firstApi + tries) % placing.apis.length]
    if (!api) throw new Error('there is no API process to ask')
    const outcome = await placeOnce(placing, api, call)
    if (outcome.class === 'accepted' || outcome.class === 'business') return outcome
    if (performance.now() - startedAt > patienceSeconds * 1_000) {
      throw new Error(`no definite outcome after ${tries + 1} tries: ${JSON.stringify(call.orders[0])}`)
    }
    await sleep(pauseMilliseconds)
  }
}

/** Resolves when every waiting call has its outcome. */
export function untilAllAnswered({ journal }: PlacingDeps): Promise<void> {
  const waiting = journal.records().filter(({ end }) => end === undefined)
  return waitUntil('everybody is served', () => waiting.every(({ end }) => end !== undefined))
}
