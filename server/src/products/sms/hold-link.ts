import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { Routes, SupplierRegistry } from '../../suppliers/ports.ts'
import { type OutgoingSms, type SmsAnswer, type SmsLink, type SmsSupplier, sendsSms } from '../../suppliers/sms-ports.ts'
import { type CampaignTexts, type ClaimPlan, claimMessages, inheritClaims } from './claim-messages.ts'
import { openLinkNews } from './link-news.ts'
import { hasOtherSupplier, planClaims } from './plan-claims.ts'

export type SmsLinkDeps = {
  readonly db: Db
  readonly log: Logger
  readonly settings: Settings
  readonly registry: SupplierRegistry
  readonly routes: Routes
}

/** A link this process holds. */
export type HeldLink = {
  isBound(): boolean
  wake(): void
  /** Hands a text over that is no campaign's. */
  submit(sms: OutgoingSms): Promise<SmsAnswer>
}

/** Messages claimed and not yet reported: what a crash leaves unknown at most. */
const windowMax = 50

/** A claim for fewer messages than this waits for more room, unless nothing is under way. */
const claimMin = 20

const beatMilliseconds = 1_000
const beatPatienceMilliseconds = 3_000
const pollMilliseconds = 100

/** Which links stand and which routes are open is looked at this often while messages are claimed. */
const planMilliseconds = 500

/** How long the link's process waits for its answers when it lets go. */
const drainMilliseconds = 12_000

/** Says that the link is held, and asks over the lock's own connection whether that connection still stands. */
async function beat(connection: Db, supplier: string, isBound: boolean): Promise<void> {
  const state = isBound ? 'bound' : 'down'
  const said = sql`
    insert into sms_links (supplier, state, seen_at) values (${supplier}, ${state}, clock_timestamp())
    on conflict (supplier) do update set state = excluded.state, seen_at = excluded.seen_at`.execute(connection)
  const late = sleep(beatPatienceMilliseconds, 'late', { ref: false })
  if ((await Promise.race([said.then(() => 'said'), late])) === 'late') {
    said.catch(() => undefined)
    throw new Error('the connection that holds the lock does not answer')
  }
}

/** Claims and hands over while there is room, until it is stopped. */
function pump(deps: SmsLinkDeps, supplier: SmsSupplier) {
  const texts: CampaignTexts = new Map()
  const { name } = supplier
  let link: SmsLink | undefined
  let underWay = 0
  let isClaiming = false
  let isStopped = false
  let planned: { readonly plan: ClaimPlan; readonly at: number } | undefined
  const news = openLinkNews(deps, supplier, (written) => {
    underWay -= written
    look()
  })

  async function claim(open: SmsLink): Promise<void> {
    if (!planned || performance.now() - planned.at > planMilliseconds) {
      planned = { at: performance.now(), plan: await planClaims(deps.db, deps.routes, name) }
    }
    const claimed = await claimMessages(deps.db, name, planned.plan, windowMax - underWay, texts)
    underWay += claimed.length
    for (const message of claimed) {
      void open.submit({ sender: message.sender, recipient: message.recipient, text: message.text }).then((answer) => {
        news.addAnswer({ message, answer, hasOtherSupplier: hasOtherSupplier(deps.routes, name, message) })
      })
    }
  }

  function look(): void {
    const hasRoom = underWay === 0 || windowMax - underWay >= claimMin
    if (isStopped || isClaiming || !hasRoom || !link?.isBound()) return
    isClaiming = true
    claim(link)
      .catch((error: unknown) => deps.log.warn({ err: error, supplier: name }, 'SMS could not be claimed'))
      .finally(() => {
        isClaiming = false
      })
  }

  return {
    look,
    isBound: () => link?.isBound() ?? false,
    submit: async (sms: OutgoingSms): Promise<SmsAnswer> =>
      (await link?.submit(sms)) ?? { meaning: 'not_sent', evidence: 'the link is not open', messageIds: [] },
    open() {
      link = supplier.openSmsLink({
        onReceipt: (receipt) => news.addReceipt(receipt),
        onStateChange: (isBound, evidence) => {
          deps.log[isBound ? 'info' : 'warn'](
            { supplier: name, evidence },
            isBound ? 'an SMS link is bound' : 'an SMS link is down',
          )
          look()
        },
      })
    },
    /** Before anything else the link goes; then what was heard is written. */
    async stop(isGraceful: boolean) {
      isStopped = true
      if (isGraceful) await link?.close()
      else link?.destroy()
      // It changes while this waits.
      // oxlint-disable-next-line no-unmodified-loop-condition
      while (isClaiming) await sleep(5)
      await Promise.race([news.drained(), sleep(drainMilliseconds, undefined, { ref: false })])
    },
  }
}

type Pump = ReturnType<typeof pump>

async function holdWhileLocked(
  deps: SmsLinkDeps,
  supplier: SmsSupplier,
  connection: Db,
  held: Map<string, HeldLink>,
  signal: AbortSignal,
): Promise<void> {
  await inheritClaims(deps.db, supplier.name, supplier.resubmitsUnanswered)
  const work: Pump = pump(deps, supplier)
  const poll = setInterval(() => work.look(), pollMilliseconds)
  let isLockSure = false
  try {
    await beat(connection, supplier.name, false)
    isLockSure = true
    work.open()
    held.set(supplier.name, { isBound: work.isBound, wake: work.look, submit: work.submit })
    // A supplier whose row was changed is another object: the link is closed and opened as it says now.
    while (!signal.aborted && deps.registry.find(supplier.name) === supplier) {
      isLockSure = false
      await beat(connection, supplier.name, work.isBound())
      isLockSure = true
      await sleep(beatMilliseconds, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    clearInterval(poll)
    held.delete(supplier.name)
    await work.stop(isLockSure)
  }
  await beat(connection, supplier.name, false)
}

/** The lock that one process holds while it holds a supplier's link: two binds of one account would split its receipts. */
const lockName = (supplier: string) => `makola sms link ${supplier}`

/** Tries to become the holder of a supplier's link, and is it until the signal, a change of the supplier, or the loss of the lock. */
export async function holdLink(
  deps: SmsLinkDeps,
  supplierName: string,
  held: Map<string, HeldLink>,
  signal: AbortSignal,
): Promise<void> {
  const supplier = deps.registry.find(supplierName)
  if (!supplier || !sendsSms(supplier)) return
  await deps.db.connection().execute(async (connection) => {
    const { rows } = await sql<{ is_mine: boolean; pid: number }>`
      select pg_try_advisory_lock(hashtextextended(${lockName(supplierName)}, 0)) as is_mine, pg_backend_pid() as pid`.execute(
      connection,
    )
    const [lock] = rows
    if (!lock?.is_mine) return
    try {
      await holdWhileLocked(deps, supplier, connection, held, signal)
    } finally {
      const unlock = sql`select pg_advisory_unlock(hashtextextended(${lockName(supplierName)}, 0))`.execute(connection)
      const isUnlocked = await Promise.race([unlock.then(() => true), sleep(1_000, false, { ref: false })]).catch(() => false)
      unlock.catch(() => undefined)
      // A session that does not answer must not keep the lock should it wake up in the pool.
      if (!isUnlocked) await sql`select pg_terminate_backend(${lock.pid}::integer)`.execute(deps.db).catch(() => undefined)
    }
  })
}
