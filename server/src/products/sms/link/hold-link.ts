import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { runAlone } from '../../../platform/database/run-alone.ts'
import { alignToSharedTick } from '../../../platform/polling/poll-pace.ts'
import { type OutgoingSms, type SmsAnswer, type SmsSupplier, sendsSms } from '../../../suppliers/sms-ports.ts'
import { smsReceiptDays } from '../sms.settings.ts'
import { linkLock } from './commit-window.ts'
import { openHandOver } from './hand-over-messages.ts'
import type { SmsLinkDeps } from './sms-link-deps.ts'
import { takeOverClaims } from './take-over-claims.ts'

export type HeldLink = {
  isBound(): boolean
  wake(): void
  /** Sends a text that belongs to no campaign. */
  submit(sms: OutgoingSms): Promise<SmsAnswer>
}

const heartbeatMilliseconds = 1_000
const heartbeatTimeoutMilliseconds = 3_000

/** Interval of a link's check of its claimed messages. A hint wakes it when messages wait in the database. */
const sendIntervalMilliseconds = 100

/** Records over the lock's own connection that the link is held. This also shows that the connection still works. */
async function recordHeartbeat(connection: Db, supplier: string, isBound: boolean): Promise<void> {
  const state = isBound ? 'bound' : 'down'
  const written = sql`
    insert into sms_links (supplier, state, seen_at) values (${supplier}, ${state}, clock_timestamp())
    on conflict (supplier) do update set state = excluded.state, seen_at = excluded.seen_at`.execute(connection)
  const late = sleep(heartbeatTimeoutMilliseconds, 'late', { ref: false })
  if ((await Promise.race([written.then(() => 'said'), late])) === 'late') {
    written.catch(() => undefined)
    throw new Error('the connection that holds the lock does not answer')
  }
}

async function holdWhileLocked(
  deps: SmsLinkDeps,
  supplier: SmsSupplier,
  connection: Db,
  held: Map<string, HeldLink>,
  signal: AbortSignal,
): Promise<void> {
  const holder = await takeOverClaims(deps.db, supplier.name, {
    isResubmitting: supplier.resubmitsUnanswered,
    receiptDays: await deps.settings.read(smsReceiptDays),
  })
  const work = openHandOver(deps, supplier, holder)
  const turning = setInterval(() => work.sendOrRelease(), sendIntervalMilliseconds)
  let isLockSure = false
  try {
    await recordHeartbeat(connection, supplier.name, false)
    isLockSure = true
    work.open()
    held.set(supplier.name, work)
    // A change of the supplier's row gives the registry a new object: the link is closed and opened with the new settings.
    while (!signal.aborted && deps.registry.find(supplier.name) === supplier) {
      isLockSure = false
      await recordHeartbeat(connection, supplier.name, work.isBound())
      isLockSure = true
      await sleep(alignToSharedTick(heartbeatMilliseconds), undefined, { signal }).catch(() => undefined)
    }
  } finally {
    clearInterval(turning)
    held.delete(supplier.name)
    await work.stop(isLockSure)
  }
  await recordHeartbeat(connection, supplier.name, false)
}

/**
 * Tries to become the holder of a supplier's link. Holds it until the signal, a change of the supplier, or the loss of the
 * lock.
 */
export async function holdLink(
  deps: SmsLinkDeps,
  supplierName: string,
  held: Map<string, HeldLink>,
  signal: AbortSignal,
): Promise<void> {
  const supplier = deps.registry.find(supplierName)
  if (!supplier || !sendsSms(supplier)) return
  await runAlone(deps.db, linkLock(supplierName), (connection) => holdWhileLocked(deps, supplier, connection, held, signal))
}
