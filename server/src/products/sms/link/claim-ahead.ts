import { smsDeadlineHours } from '../sms.settings.ts'
import {
  type CampaignTexts,
  type Claim,
  type ClaimedMessage,
  type ClaimPlan,
  claimMessages,
  dropUnknownClaims,
} from './claim-messages.ts'
import type { LinkHolder } from './commit-window.ts'
import { planClaims } from './plan-claims.ts'
import type { SmsLinkDeps } from './sms-link-deps.ts'

/** Claims messages for a supplier's link in advance, so that some are always ready. */
export type ClaimAhead = {
  /**
   * Claims more messages when few are left, one claim at a time.
   * @param claimed how many messages are claimed and not sent yet
   * @param isFresh whether new messages may have come since the last claim
   * @returns undefined when no claim is needed now
   */
  claimIfNeeded(
    claimed: { readonly small: number; readonly all: number },
    isFresh: boolean,
  ): Promise<readonly ClaimedMessage[]> | undefined
  isClaiming(): boolean
}

type ClaimDeps = Omit<SmsLinkDeps, 'registry'>

/** Interval of reading the state of links and routes while messages are claimed. */
const planMilliseconds = 500

/**
 * A claim has about as many messages as the link sends in a quarter of a second, at most `claimMax`. The smallest claim has
 * `claimMin`, or fewer where the link sends fewer in a second, because a claimed message is sent even when its campaign is
 * cancelled.
 */
const claimMax = 2_000
const claimMin = 50
const claimMilliseconds = 250

/** Reads the plan of claims, and caches it for `planMilliseconds`. */
function createPlanReader({ db, routes }: ClaimDeps, supplier: string): () => Promise<ClaimPlan> {
  let planned: { readonly plan: ClaimPlan; readonly at: number } | undefined
  return async () => {
    const now = performance.now()
    if (!planned || now - planned.at > planMilliseconds) planned = { at: now, plan: await planClaims(db, routes, supplier) }
    return planned.plan
  }
}

/** Decides the size of a claim: doubles it when the last messages were sent quickly, else halves it. */
function createClaimSize(smallest: number) {
  let size = smallest
  let usedAt = 0
  return {
    current: () => size,
    next(): number {
      const now = performance.now()
      size = now - usedAt < claimMilliseconds ? Math.min(claimMax, size * 2) : Math.max(smallest, size / 2)
      usedAt = now
      return Math.ceil(size)
    },
  }
}

/**
 * Claims messages and remembers the claims. When a claim failed, its commit may still have succeeded, so the next call first
 * deletes every claim that is not remembered.
 */
function createClaimer(deps: ClaimDeps, holder: LinkHolder) {
  const texts: CampaignTexts = new Map()
  const readPlan = createPlanReader(deps, holder.supplier)
  let claims: Claim[] = []
  let isUnsure = false
  return async (limit: number, isBulkToo: boolean): Promise<ClaimedMessage[]> => {
    const plan = await readPlan()
    claims = claims.filter(({ openCount }) => openCount > 0)
    if (isUnsure) await dropUnknownClaims(deps.db, holder, claims)
    isUnsure = true
    const deadlineHours = await deps.settings.read(smsDeadlineHours)
    const claimed = await claimMessages(deps.db, holder, plan, { limit, isBulkToo, deadlineHours }, texts)
    isUnsure = false
    claims.push(...new Set(claimed.map(({ claim }) => claim)))
    return claimed
  }
}

/** @param perSecond the most submits of the link per second; null: no limit */
export function createClaimAhead(deps: ClaimDeps, holder: LinkHolder, perSecond: number | null): ClaimAhead {
  const smallest = Math.min(claimMin, perSecond ?? claimMin)
  const size = createClaimSize(smallest)
  const claim = createClaimer(deps, holder)
  let isClaiming = false
  let mayHaveMore = true

  async function claimMore(isBulkToo: boolean): Promise<readonly ClaimedMessage[]> {
    isClaiming = true
    try {
      const limit = isBulkToo ? size.next() : smallest
      const claimed = await claim(limit, isBulkToo)
      if (isBulkToo) mayHaveMore = claimed.length === limit
      return claimed
    } catch (error) {
      deps.log.warn({ err: error, supplier: holder.supplier }, 'SMS could not be claimed')
      return []
    } finally {
      isClaiming = false
    }
  }

  return {
    isClaiming: () => isClaiming,
    claimIfNeeded({ small, all }, isFresh) {
      mayHaveMore ||= isFresh
      // Messages of small campaigns are sent first and soon. Until then no others are needed.
      if (isClaiming || !mayHaveMore || small > 0) return undefined
      const isBulkToo = all < size.current() / 2
      return isBulkToo || isFresh ? claimMore(isBulkToo) : undefined
    },
  }
}
