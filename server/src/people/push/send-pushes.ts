import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { type Dispatcher, request } from 'undici'
import { backOff } from '../../platform/back-off.ts'
import type { Db } from '../../platform/database/database.ts'
import { openPublicAgent } from '../../platform/outgoing/public-addresses.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { composePush, type PushedCause } from './compose-push.ts'
import { openPushKeys, type PushKeys } from './push-keys.ts'

export type PushDeps = {
  readonly db: Db
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly secretsKeys: SecretsKeys
  /** Our contact for the push services (`sub`, RFC 8292). */
  readonly publicUrl: string
  /** For tests: reaches a receiver on this machine. Left out: only addresses of the public internet are called. */
  readonly dispatcher?: Dispatcher
}

/** The time limit for a push service's answer; later the notice is tried again. */
const answerMilliseconds = 5_000
const atOnceMax = 10
const devicesPerRound = 100

/** A notice older than this is given up: by then its reader has probably seen what it tells. */
const noticeAgeMinutesMax = 30

/** The push service keeps a notice this long for a device that is switched off. */
const timeToLiveSeconds = 3_600

/** After so many failures in a row a device is forgotten. */
const failuresMax = 12
const retrySeconds = { first: 15, most: 600 }

type WebPush = typeof import('web-push')

type Due = {
  readonly sessionId: string
  readonly endpoint: string
  readonly publicKey: string
  readonly authSecret: string
  readonly failures: number
  readonly causes: readonly PushedCause[]
}

async function listDue(db: Db): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    select device.session_id as "sessionId", device.endpoint, device.public_key as "publicKey", device.auth_secret as "authSecret",
      device.failures, json_agg(json_build_object('id', notice.cause_id, 'kind', notice.kind, 'tail', notice.tail)) as causes
    from push_devices as device join push_notices as notice using (session_id)
    where notice.ended_at is null and device.next_try_at <= clock_timestamp()
    group by device.session_id order by device.next_try_at limit ${devicesPerRound}`.execute(db)
  return rows
}

type PushTransport = {
  readonly webPush: WebPush
  readonly keys: PushKeys
  readonly publicUrl: string
  readonly dispatcher: Dispatcher
}

/** How a try ended. `gone`: the push service no longer knows the subscription, or its key can never be used. */
type Outcome = 'sent' | 'gone' | { readonly failure: string }

async function sendPush({ publicUrl, ...way }: PushTransport, due: Due): Promise<Outcome> {
  const subscription = { endpoint: due.endpoint, keys: { p256dh: due.publicKey, auth: due.authSecret } }
  let details: ReturnType<WebPush['generateRequestDetails']>
  try {
    details = way.webPush.generateRequestDetails(subscription, JSON.stringify(composePush(due.causes)), {
      vapidDetails: { subject: publicUrl, ...way.keys },
      TTL: timeToLiveSeconds,
    })
  } catch {
    // The public key is not on the curve.
    return 'gone'
  }
  try {
    const { statusCode, body } = await request(details.endpoint, {
      method: 'POST',
      headers: details.headers as Record<string, string>,
      body: details.body,
      dispatcher: way.dispatcher,
      signal: AbortSignal.timeout(answerMilliseconds),
    })
    await body.dump()
    if (statusCode === 404 || statusCode === 410) return 'gone'
    return statusCode >= 200 && statusCode < 300 ? 'sent' : { failure: `it answered ${statusCode}` }
  } catch (error) {
    // The message of an error may hold the endpoint, and whoever has it can address the device. So only the code is kept.
    return { failure: error instanceof Error && 'code' in error ? String(error.code) : 'it did not answer' }
  }
}

async function conclude({ db, log }: PushDeps, due: Due, outcome: Outcome): Promise<void> {
  if (outcome === 'gone' || (typeof outcome === 'object' && due.failures + 1 >= failuresMax)) {
    await sql`delete from push_devices where session_id = ${due.sessionId} and endpoint = ${due.endpoint}`.execute(db)
    log.info({ sessionId: due.sessionId }, 'a device gets no push notices any more: its push service does not take them')
    return
  }
  if (outcome === 'sent') {
    await sql`
      update push_notices set ended_at = clock_timestamp()
      where session_id = ${due.sessionId} and ended_at is null and cause_id = any(${due.causes.map(({ id }) => id)}::uuid[])`.execute(
      db,
    )
    await sql`update push_devices set failures = 0 where session_id = ${due.sessionId} and failures > 0`.execute(db)
    return
  }
  await sql`
    update push_devices set failures = failures + 1,
      next_try_at = clock_timestamp() + make_interval(secs => ${backOff(due.failures, retrySeconds)})
    where session_id = ${due.sessionId}`.execute(db)
  log.warn({ sessionId: due.sessionId, reason: outcome.failure }, 'a push notice could not be sent')
}

/** Gives up notices that have waited too long, and deletes all notices that are more than a day old. */
async function endOld(db: Db): Promise<void> {
  await sql`
    update push_notices set ended_at = clock_timestamp()
    where ended_at is null and created_at < clock_timestamp() - make_interval(mins => ${noticeAgeMinutesMax})`.execute(db)
  await sql`delete from push_notices where created_at < clock_timestamp() - interval '1 day'`.execute(db)
}

/**
 * Sends the waiting push notices, those of one device in one message. A message may come twice when a process dies after sending.
 * A device whose push service knows it no more is removed. Must run in one process at a time.
 */
export async function sendPushes(deps: PushDeps): Promise<void> {
  await endOld(deps.db)
  const due = await listDue(deps.db)
  if (due.length === 0) return
  const keys = await openPushKeys(deps.db, deps.secretsKeys)
  const { default: webPush } = await import('web-push')
  const dispatcher = deps.dispatcher ?? openPublicAgent()
  const transport = { webPush, keys, publicUrl: deps.publicUrl, dispatcher }
  const limit = pLimit(atOnceMax)
  try {
    await Promise.all(due.map((device) => limit(async () => conclude(deps, device, await sendPush(transport, device)))))
  } finally {
    if (deps.dispatcher === undefined) await dispatcher.destroy()
  }
}
