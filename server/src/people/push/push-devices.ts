import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { PushKind } from './push.tables.ts'

/** The most browsers of one person that get push notices. A further one takes the place of the oldest. */
const devicesPerPerson = 5

export type NewPushDevice = {
  readonly sessionId: string
  readonly personId: string
  readonly endpoint: string
  readonly publicKey: string
  readonly authSecret: string
  readonly kinds: readonly PushKind[]
}

/** A push service has a host name, no IP address, and the usual port. The name's address is checked when a notice is sent. */
function isPushService(endpoint: string): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return url.port === '' && isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) === 0 && url.hostname.includes('.')
}

/**
 * True when a text is an uncompressed point of P-256, as browsers give it. A point that is not on the curve fails only at its
 * use.
 */
const isPoint = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === 65 && bytes[0] === 4
}

/**
 * Stores where the browser of a session gets push notices. An address that belonged to another session moves to this one.
 *
 * @throws RefusalError 400 for an address or keys that no push service gives, 401 when the session has just ended
 */
export async function setPushDevice(db: Db, device: NewPushDevice): Promise<void> {
  if (!isPushService(device.endpoint)) throw new RefusalError(refusals.invalidRequest('endpoint must be that of a push service.'))
  const isKeyed = isPoint(device.publicKey) && Buffer.from(device.authSecret, 'base64url').length === 16
  if (!isKeyed) throw new RefusalError(refusals.invalidRequest('public_key and auth_secret must be those of a subscription.'))
  await inTransaction(db, async (tx) => {
    // One at a time, so that a second request for the same address or session finds what the first one stored.
    await sql`select pg_advisory_xact_lock(hashtextextended('makola push devices', 0))`.execute(tx)
    // Before its device, as signing out locks them.
    const { rows } = await sql`select from person_sessions where id = ${device.sessionId} for key share`.execute(tx)
    if (rows.length === 0) throw new RefusalError(peopleRefusals.notSignedIn)
    await tx
      .deleteFrom('push_devices')
      .where((where) => where.or([where('endpoint', '=', device.endpoint), where('session_id', '=', device.sessionId)]))
      .execute()
    await tx
      .insertInto('push_devices')
      .values({
        session_id: device.sessionId,
        person_id: device.personId,
        endpoint: device.endpoint,
        public_key: device.publicKey,
        auth_secret: device.authSecret,
        kinds: [...device.kinds],
      })
      .execute()
    await sql`
      delete from push_devices where session_id in (
        select session_id from push_devices where person_id = ${device.personId}
        order by created_at desc, session_id offset ${devicesPerPerson})`.execute(tx)
  })
}

/** Reads the kinds of push notices that the browser of a session gets. An empty list: it gets none. */
export async function readPushKinds(db: Db, sessionId: string): Promise<readonly PushKind[]> {
  const row = await db.selectFrom('push_devices').select('kinds').where('session_id', '=', sessionId).executeTakeFirst()
  return row?.kinds ?? []
}

export async function removePushDevice(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('push_devices').where('session_id', '=', sessionId).execute()
}
