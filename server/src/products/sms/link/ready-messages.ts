import { smsDeadlineHours } from '../sms.settings.ts'
import {
  type CampaignTexts,
  type Claim,
  type ClaimedMessage,
  type ClaimPlan,
  claimMessages,
  dropUnknownClaims,
} from './claim-messages.ts'
import { type Holder, windowMax } from './keep-window.ts'
import { planClaims } from './plan-claims.ts'
import type { SmsLinkDeps } from './sms-link-deps.ts'

/** Claimed messages that wait for a place in the window. */
export type ReadyMessages = {
  count(): number
  /** Those of small campaigns first. */
  take(count: number): ClaimedMessage[]
  putBack(messages: readonly ClaimedMessage[]): void
  /** Claims more when there is room. `isFresh`: there may be some where there were none. */
  look(isFresh?: boolean): void
  isClaiming(): boolean
}

/** How often the state of links and routes is read while messages are claimed. */
const planMilliseconds = 500

/** Messages of one claim: as many as the link hands over in about a quarter of a second. */
const claimMax = 500
const claimMin = windowMax
const claimMilliseconds = 250

/** Claims messages for a supplier's link in advance, so that some are always ready. Messages of small campaigns come first. */
export function openReadyMessages(
  deps: SmsLinkDeps,
  holder: Holder,
  events: { mayClaim(): boolean; onReady(): void },
): ReadyMessages {
  const texts: CampaignTexts = new Map()
  let small: ClaimedMessage[] = []
  let bulk: ClaimedMessage[] = []
  let planned: { readonly plan: ClaimPlan; readonly at: number } | undefined
  let isClaiming = false
  let mayHaveMore = true
  let claimSize = claimMin
  let claimedAt = 0
  let claims: Claim[] = []
  let isUnsure = false

  async function claim(isBulkToo: boolean): Promise<void> {
    const now = performance.now()
    if (!planned || now - planned.at > planMilliseconds) {
      planned = { at: now, plan: await planClaims(deps.db, deps.routes, holder.supplier) }
    }
    if (isBulkToo) {
      claimSize = now - claimedAt < claimMilliseconds ? Math.min(claimMax, claimSize * 2) : Math.max(claimMin, claimSize / 2)
      claimedAt = now
    }
    claims = claims.filter(({ openCount }) => openCount > 0)
    if (isUnsure) await dropUnknownClaims(deps.db, holder, claims)
    isUnsure = true
    const limit = isBulkToo ? Math.ceil(claimSize) : windowMax
    const deadlineHours = await deps.settings.read(smsDeadlineHours)
    const claimed = await claimMessages(deps.db, holder, planned.plan, { limit, isBulkToo, deadlineHours }, texts)
    isUnsure = false
    claims.push(...new Set(claimed.map(({ claim: each }) => each)))
    if (isBulkToo) mayHaveMore = claimed.length === limit
    for (const message of claimed) (message.isBulk ? bulk : small).push(message)
    if (claimed.length > 0) events.onReady()
  }

  const ready: ReadyMessages = {
    count: () => small.length + bulk.length,
    take(count) {
      const first = small.splice(0, count)
      return [...first, ...bulk.splice(0, count - first.length)]
    },
    putBack(messages) {
      small = [...messages.filter(({ isBulk }) => !isBulk), ...small]
      bulk = [...messages.filter(({ isBulk }) => isBulk), ...bulk]
    },
    look(isFresh = false) {
      mayHaveMore ||= isFresh
      const isBulkToo = bulk.length < claimSize / 2
      if (isClaiming || !mayHaveMore || !events.mayClaim() || small.length > 0) return
      if (!isBulkToo && !isFresh) return
      isClaiming = true
      claim(isBulkToo)
        .catch((error: unknown) => deps.log.warn({ err: error, supplier: holder.supplier }, 'SMS could not be claimed'))
        .finally(() => {
          isClaiming = false
        })
    },
    isClaiming: () => isClaiming,
  }
  return ready
}
