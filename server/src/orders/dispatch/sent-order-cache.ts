import type { Attempt } from '../attempt.ts'
import type { ClaimedOrder, FindCachedOrder } from '../schedule/claim-open-orders.ts'
import { type SettledBatch, type Settlement, toStorableText } from '../settlement/settle-attempts.ts'
import type { Work } from './perform-work.ts'

/** Orders that this worker sent and that their suppliers took, kept in memory until the next question. */
export type SentOrderCache = {
  /** Returns a kept order and forgets it. Undefined when its lease or its attempt has changed since. */
  readonly find: FindCachedOrder
  /** Called before an answer is committed, with the call that got it. */
  recordCall(settlement: Settlement, work: Work): void
  /** Keeps the orders of a committed batch that `isWorthCaching` chooses. */
  addCommitted(batch: SettledBatch): void
}

type CachedOrder = { readonly claimed: ClaimedOrder; readonly releasedAs: number }

/** Above this number the oldest orders are forgotten. They are read again when they are claimed. */
const cachedOrdersMax = 10_000

/**
 * True when the supplier took the order and no answer so far counts towards a proof, so that only the delivery is awaited.
 * False for suppliers whose callbacks are proof, because a callback must be read.
 */
function isWorthCaching({ decision, attempt }: Settlement, work: Work): boolean {
  const { step, outcome, recordedAnswer } = decision
  const isTaken = outcome === 'accepted' && (recordedAnswer === 'accepted' || recordedAnswer === 'duplicate_exists')
  const isUndisputed = attempt.provenAbsences === 0 && attempt.unfulfilledSince === null
  return step.do === 'ask_again' && step.holdReason === null && isTaken && isUndisputed && work.supplier.callbackIsProof !== true
}

function attemptAfter({ attempt, spoken, decision }: Settlement): Attempt {
  const { supplierReference: answeredReference } = spoken
  const supplierReference = attempt.supplierReference ?? (answeredReference === null ? null : toStorableText(answeredReference))
  return { ...attempt, outcome: decision.outcome, supplierReference }
}

function claimedAfter(settlement: Settlement, { claimed, attempt, call, supplier }: Work): ClaimedOrder {
  const isNew = call === 'send'
  const triedBefore = claimed.triedSuppliers.get(supplier.name) ?? 0
  return {
    ...claimed,
    order: { ...claimed.order, status: 'processing' },
    attempt: attemptAfter(settlement),
    attemptCount: isNew ? attempt.attemptNo : claimed.attemptCount,
    triedSuppliers: isNew ? new Map([...claimed.triedSuppliers, [supplier.name, triedBefore + 1]]) : claimed.triedSuppliers,
  }
}

/**
 * Keeps orders in memory between their send and the question how they ended, so that they need not be read again. An order
 * whose lease or attempt has changed since is read again.
 */
export function createSentOrderCache(): SentOrderCache {
  const cached = new Map<string, CachedOrder>()
  const sources = new WeakMap<Settlement, Work>()

  function cacheOrder(settlement: Settlement): void {
    const work = sources.get(settlement)
    const { id } = settlement.order
    if (!work || !isWorthCaching(settlement, work)) return
    const [oldest] = cached.size >= cachedOrdersMax ? cached.keys() : []
    if (oldest !== undefined) cached.delete(oldest)
    cached.set(id, { claimed: claimedAfter(settlement, work), releasedAs: settlement.leaseNo + 1 })
  }

  return {
    find: ({ orderId, leaseNo, attemptNo }) => {
      const known = cached.get(orderId)
      cached.delete(orderId)
      return known?.releasedAs === leaseNo - 1 && (known.claimed.attempt?.attemptNo ?? null) === attemptNo
        ? known.claimed
        : undefined
    },
    recordCall: (settlement, work) => void sources.set(settlement, work),
    addCommitted: ({ settled }) => {
      for (const settlement of settled) cacheOrder(settlement)
    },
  }
}
