import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { CourtesySmsPort } from '../../../notices/message-transports.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Hints } from '../../../platform/polling/listen-for-hints.ts'
import { openPollPace } from '../../../platform/polling/poll-pace.ts'
import type { AskDue } from '../../../platform/polling/share-polls.ts'
import { sendsSms } from '../../../suppliers/sms-ports.ts'
import { expandCampaigns, isCampaignDue } from '../campaigns/expand-campaigns.ts'
import { findOldestOpen, isCampaignOpen } from '../campaigns/open-campaigns.ts'
import { createCourtesySms } from './create-courtesy-sms.ts'
import { type HeldLink, holdLink } from './hold-link.ts'
import type { SmsLinkDeps } from './sms-link-deps.ts'

type SmsWork = { readonly isCampaignDue: boolean; readonly isMessageWaiting: boolean }

const noWork: SmsWork = { isCampaignDue: false, isMessageWaiting: false }

/**
 * Checks without a lock which work waits for a link. A claim takes three statements in a transaction, too much for a check ten
 * times a second that mostly finds nothing.
 */
export async function readSmsWork(db: Db): Promise<SmsWork> {
  const since = await findOldestOpen(db)
  if (!since) return noWork
  const { rows } = await sql<SmsWork>`
    select exists (select from sms_campaigns where ${isCampaignDue} and ${since('id')}) as "isCampaignDue",
      exists (select from sms_messages where submit = 'waiting' and ${since('campaign_id')} and campaign_id not in (
        select id from sms_campaigns
        where status = 'processing' and ${since('id')} and (paused_at is not null or cancelled_at is not null))) as "isMessageWaiting"`.execute(
    db,
  )
  return rows[0] ?? noWork
}

export type SmsLoop = {
  /** The port for courtesy messages by SMS; undefined while this process holds no bound link. */
  courtesySms(): CourtesySmsPort | undefined
  /** Unbinds, and writes all received answers and receipts. */
  stop(): Promise<void>
}

const pollMilliseconds = 100

/** Interval of a process's tries to become the holder of a link. */
const lockMilliseconds = 1_000
const backOffMilliseconds = 2_000

/** The first bound link in the order of the routes; one without a route comes last. */
function chooseBoundLink({ routes }: SmsLinkDeps, held: ReadonlyMap<string, HeldLink>): HeldLink | undefined {
  const inOrder = routes.listNext('sms', 'any', []).map(({ supplier }) => held.get(supplier))
  return [...inOrder, ...held.values()].find((each) => each?.isBound())
}

/**
 * Starts the SMS part of a worker. Tries to become the holder of every SMS supplier's link. While it holds a bound link, it
 * writes the messages of due campaigns and sends them.
 */
export function runSmsLoop(deps: SmsLinkDeps, hints?: Hints, askDue?: AskDue): SmsLoop {
  const pace = openPollPace(pollMilliseconds, hints, askDue)
  const stopping = new AbortController()
  const held = new Map<string, HeldLink>()
  const runningLinks = new Map<string, Promise<void>>()
  const isStopping = () => stopping.signal.aborted

  async function runLink(supplier: string): Promise<void> {
    try {
      await holdLink(deps, supplier, held, stopping.signal)
      await sleep(lockMilliseconds, undefined, { signal: stopping.signal })
    } catch (error) {
      if (!isStopping()) deps.log.warn({ err: error, supplier }, 'an SMS link could not be held')
      await sleep(backOffMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
    } finally {
      runningLinks.delete(supplier)
    }
  }

  function startLinks(): void {
    for (const supplier of deps.registry.list()) {
      if (sendsSms(supplier) && !runningLinks.has(supplier.name)) runningLinks.set(supplier.name, runLink(supplier.name))
    }
  }

  const wakeLinks = () => held.forEach((link) => link.wake())

  async function expandAndWake(): Promise<void> {
    const isAnyBound = [...held.values()].some((link) => link.isBound())
    if (!isAnyBound || deps.history?.isSalesStopped() || !(await pace.mayFind(isCampaignOpen))) return
    const work = await readSmsWork(deps.db)
    if (work.isCampaignDue || work.isMessageWaiting) pace.recordWork()
    try {
      if (work.isCampaignDue) await expandCampaigns(deps.db, wakeLinks)
    } finally {
      // Messages are sent even if a due campaign fails.
      if (work.isMessageWaiting) wakeLinks()
    }
  }

  async function run(): Promise<void> {
    while (!isStopping()) {
      startLinks()
      try {
        await expandAndWake()
        await pace.pause(stopping.signal)
      } catch (error) {
        deps.log.warn({ err: error }, 'SMS campaigns could not be taken up')
        await sleep(backOffMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  const running = run()
  return {
    courtesySms: () => {
      const link = chooseBoundLink(deps, held)
      return link && createCourtesySms(deps, link)
    },
    stop: async () => {
      stopping.abort()
      await running
      await Promise.all(runningLinks.values())
    },
  }
}
