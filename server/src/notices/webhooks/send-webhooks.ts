import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import { type BackOff, backOff } from '../../platform/back-off.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { unsealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type ClaimedEndpoint, claimEndpoints, releaseEndpoint } from './claim-endpoints.ts'
import { bodyOf } from './deliveries.ts'
import { pauseEndpoint, secretColumn } from './endpoints.ts'
import { postWebhook, type Try } from './post-webhook.ts'

export type WebhookSenderDeps = {
  readonly db: Db
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly secretsKeys: SecretsKeys
  readonly dispatcher: Dispatcher
  readonly onTried?: ((outcome: Try) => void) | undefined
  /** Tells the account that its endpoint was paused. */
  readonly notifyOfPause: (
    tx: Tx,
    paused: { accountId: string; endpointId: string; host: string; reason: 'failing' | 'gone' },
  ) => Promise<void>
}

/**
 * How many rounds one worker runs at the same time before it claims no more endpoints of that kind. `healthy`: rounds of
 * healthy endpoints that began less than `slowMilliseconds` ago. `failing`: all other rounds.
 */
const placesMax = { healthy: 200, failing: 200 }

/** Requests to one endpoint at the same time. */
const requestsAtOnce = 4

/** Events that are read at once. */
const batchEvents = 100

/** Requests begin at most this long after the claim. The lease of the claim ends much later. */
const roundMilliseconds = 20_000

/**
 * After this many failures the rest of a batch is not sent. While no request has succeeded, `requestsAtOnce` failures are
 * enough, because then the endpoint is at fault and not an event.
 */
const failuresMax = 8

/** An endpoint counts as slow when an answer takes longer. The round of a healthy endpoint frees its place after this time. */
const slowMilliseconds = 2_000

/** At most this many endpoints are served by one worker at the same time, slow or quick. */
const servedMax = 1_000

/** The pauses between tries: from 5 seconds to an hour, a fifth shorter or longer. */
const retrySeconds: BackOff = { first: 5, most: 3_600, spread: 0.2 }

/** An endpoint is paused when an event fails that was queued this long ago, and the endpoint has been active for as long. */
const giveUpHours = 72

type Due = {
  readonly eventNo: number
  readonly eventId: string
  readonly type: string
  readonly happenedAt: Date
  readonly data: unknown
  readonly subject: string
  readonly tries: number
}

/**
 * Lists the due events of an endpoint, longest due first. Of each subject it lists only the first event that waits. A failed
 * event comes behind those that were never tried, so events that always fail do not delay the others.
 */
async function listDue(db: Db, endpointId: string): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select delivery.event_no as "eventNo", event.id as "eventId", event.type, event.happened_at as "happenedAt", event.data,
      delivery.subject, delivery.tries
    from webhook_deliveries as delivery join webhook_events as event using (event_no)
    where delivery.endpoint_id = ${endpointId} and delivery.state = 'waiting' and delivery.next_try_at <= clock_timestamp()
      and not exists (select from webhook_deliveries as earlier
        where earlier.endpoint_id = delivery.endpoint_id and earlier.subject = delivery.subject and earlier.state = 'waiting'
          and earlier.event_no < delivery.event_no)
    order by delivery.next_try_at, delivery.event_no limit ${batchEvents}`.execute(db)
  return rows
}

type Tried = { readonly due: Due; readonly outcome: Try }

/**
 * Writes the outcomes of tries. After a failure, later events of the same subject become due together with the failed one.
 * Nothing is written when another worker has claimed the endpoint, or its owner has changed the address: then the events are
 * sent again.
 * @returns true when the outcomes were written
 */
async function noteTries(tx: Tx, endpoint: ClaimedEndpoint, tried: readonly Tried[]): Promise<boolean> {
  const rows = rowsOf(tried, {
    event_no: ['bigint', ({ due }) => due.eventNo],
    subject: ['text', ({ due }) => due.subject],
    is_taken: ['boolean', ({ outcome }) => outcome.isTaken],
    milliseconds: ['integer', ({ outcome }) => outcome.milliseconds],
    status: ['smallint', ({ outcome }) => outcome.status],
    answer: ['text', ({ outcome }) => outcome.answer],
    failure: ['text', ({ outcome }) => outcome.failure],
    pause_seconds: ['float8', ({ due }) => backOff(due.tries, retrySeconds)],
  })
  const { numAffectedRows = 0n } = await sql`
    with tried as materialized (select * from ${rows.as('row')}), held as materialized (
      select from webhook_endpoints where id = ${endpoint.id} and lease_no = ${endpoint.lease_no} and url = ${endpoint.url}
      for no key update
    ), behind as (
      update webhook_deliveries as delivery set next_try_at = clock_timestamp() + make_interval(secs => tried.pause_seconds)
      from tried, held
      where not tried.is_taken and delivery.endpoint_id = ${endpoint.id} and delivery.subject = tried.subject
        and delivery.state = 'waiting' and delivery.event_no > tried.event_no
    )
    update webhook_deliveries as delivery
    set state = case when tried.is_taken then 'delivered' else 'waiting' end, tries = delivery.tries + 1,
      tried_at = clock_timestamp(), milliseconds = tried.milliseconds, status = tried.status, answer = tried.answer,
      failure = tried.failure,
      next_try_at = clock_timestamp() + make_interval(secs => case when tried.is_taken then 0 else tried.pause_seconds end)
    from tried, held
    where delivery.endpoint_id = ${endpoint.id} and delivery.event_no = tried.event_no`.execute(tx)
  return numAffectedRows > 0n
}

/** Sends a batch, a few events at a time. Events that were not begun in time, or follow too many failures, stay due. */
async function sendBatch(
  { dispatcher, secretsKeys, onTried }: WebhookSenderDeps,
  endpoint: ClaimedEndpoint,
  batch: readonly Due[],
  until: number,
): Promise<Tried[]> {
  const place = { ...secretColumn, rowId: endpoint.id }
  const secrets = [endpoint.secret, endpoint.previous_secret].flatMap((sealed) =>
    sealed === null ? [] : unsealSecret(secretsKeys, sealed, place),
  )
  const inTurn = pLimit(requestsAtOnce)
  const tried: Tried[] = []
  let failures = 0
  await Promise.all(
    batch.map((due) =>
      inTurn(async () => {
        const isAway = failures >= failuresMax || (failures >= requestsAtOnce && failures === tried.length)
        if (isAway || performance.now() > until) return
        const body = bodyOf(due)
        const outcome = await postWebhook({ url: endpoint.url, secrets, eventId: due.eventId, body, dispatcher })
        if (!outcome.isTaken) failures += 1
        tried.push({ due, outcome })
        onTried?.(outcome)
      }),
    ),
  )
  return tried
}

/** True when one of these failed events was queued more than `giveUpHours` ago, so that its endpoint must be paused. */
async function isGivenUp(tx: Tx, endpoint: ClaimedEndpoint, failed: readonly Due[]): Promise<boolean> {
  const { rows } = await sql<{ is_over: boolean }>`
    select exists (
      select from webhook_deliveries as delivery join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
      where delivery.endpoint_id = ${endpoint.id} and delivery.event_no = any(${failed.map(({ eventNo }) => eventNo)}::bigint[])
        and greatest(delivery.queued_at, endpoint.active_since) < clock_timestamp() - make_interval(hours => ${giveUpHours})
    ) as is_over`.execute(tx)
  return rows[0]?.is_over ?? false
}

/**
 * Writes the outcomes of a batch, and pauses the endpoint if it is gone or has failed for too long. `lost`: nothing was written,
 * as `noteTries` describes.
 */
async function concludeBatch(
  deps: WebhookSenderDeps,
  endpoint: ClaimedEndpoint,
  tried: readonly Tried[],
): Promise<'noted' | 'paused' | 'lost'> {
  return inTransaction(deps.db, async (tx) => {
    const isNoted = await noteTries(tx, endpoint, tried)
    const failed = tried.filter(({ outcome }) => !outcome.isTaken)
    if (!isNoted) return 'lost'
    if (failed.length === 0) return 'noted'
    const isGone = failed.some(({ outcome }) => outcome.status === 410)
    const reason = isGone ? 'gone' : 'failing'
    if (
      !isGone &&
      !(await isGivenUp(
        tx,
        endpoint,
        failed.map(({ due }) => due),
      ))
    )
      return 'noted'
    const isPaused = await pauseEndpoint(tx, { endpointId: endpoint.id, actor: 'worker', reason })
    const { account_id: accountId, id: endpointId, url } = endpoint
    if (isPaused) await deps.notifyOfPause(tx, { accountId, endpointId, host: new URL(url).host, reason })
    return 'paused'
  })
}

/** Sends an endpoint's due events until none is left, the endpoint fails or changes, or the time of the round is over. */
async function serveEndpoint(deps: WebhookSenderDeps, endpoint: ClaimedEndpoint): Promise<void> {
  const until = performance.now() + roundMilliseconds
  let { failures, is_slow: isSlow } = endpoint
  let hasDelivered = false
  let pauseSeconds = 0
  while (performance.now() < until) {
    const batch = await listDue(deps.db, endpoint.id)
    if (batch.length === 0) break
    const tried = await sendBatch(deps, endpoint, batch, until)
    if (tried.length === 0) break
    const end = await concludeBatch(deps, endpoint, tried)
    const isAway = tried.every(({ outcome }) => !outcome.isTaken)
    failures = isAway ? failures + 1 : 0
    hasDelivered ||= !isAway && end !== 'lost'
    isSlow = tried.some(({ outcome }) => outcome.milliseconds > slowMilliseconds)
    pauseSeconds = isAway ? backOff(failures - 1, retrySeconds) : 0
    if (isAway || end !== 'noted') break
  }
  await releaseEndpoint(deps.db, endpoint, { failures, isSlow, hasDelivered, pauseSeconds })
}

export type WebhookSender = {
  /** Begins to send what is due, and returns at once. */
  look(): Promise<void>
  /** Claims no more endpoints, and waits until the rounds that have begun are over. */
  stop(): Promise<void>
}

/**
 * Opens the sender of one worker. An event is sent until its endpoint accepts it or is paused, so it may arrive twice. An event
 * waits until the earlier ones of its subject, such as an order, were accepted. An endpoint that hangs or fails delays only
 * itself.
 */
export function openWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const serving = new Map<string, { readonly isHealthy: boolean; readonly since: number; readonly work: Promise<void> }>()
  let isStopped = false

  function serve(endpoint: ClaimedEndpoint): void {
    const work = serveEndpoint(deps, endpoint)
      .catch((error: unknown) =>
        deps.log.warn({ err: error, endpoint: endpoint.id }, 'webhooks could not be sent; they will be tried again'),
      )
      .finally(() => serving.delete(endpoint.id))
    const isHealthy = endpoint.failures === 0 && !endpoint.is_slow
    serving.set(endpoint.id, { isHealthy, since: performance.now(), work })
  }

  return {
    async look() {
      const quickSince = performance.now() - slowMilliseconds
      const quick = [...serving.values()].filter(({ isHealthy, since }) => isHealthy && since > quickSince).length
      const healthy = Math.min(placesMax.healthy - quick, servedMax - serving.size)
      const failing = Math.max(0, Math.min(placesMax.failing - (serving.size - quick), servedMax - serving.size - healthy))
      const places = { healthy, failing }
      if (isStopped || healthy + failing === 0) return
      for (const endpoint of await claimEndpoints(deps.db, places)) serve(endpoint)
    },
    async stop() {
      isStopped = true
      await Promise.all([...serving.values()].map(({ work }) => work))
    },
  }
}
