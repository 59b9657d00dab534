import type { Attempt } from '../attempt.ts'
import type { ClaimedOrder, FindKept } from '../schedule/claim-open-orders.ts'
import { storable } from '../settlement/settle-attempts.ts'
import type { SettledBatch, Settlement } from '../settlement/settlement.ts'
import type { Work } from './work.ts'

/** What one worker remembers of orders that a supplier took, until they are asked about. */
export type KeptOrders = {
  /** Finds an order whose lease and attempt are still those that it was released with. It is forgotten then. */
  readonly find: FindKept
  /** Says which call an answer came from, before that answer is committed. */
  heard(settlement: Settlement, work: Work): void
  /** Keeps the orders of a committed batch that are worth it. */
  committed(batch: SettledBatch): void
}

type Kept = { readonly claimed: ClaimedOrder; readonly releasedAs: number }

/** More orders than this are not remembered; the oldest are forgotten first, and read again when they are claimed. */
const keptMax = 10_000

/**
 * An order is remembered only while nothing but the wait for its delivery stands between now and the next question: the
 * supplier took it, and no answer so far counts towards a proof. What a callback says of it is always read where
 * callbacks are proof.
 */
function isWorthKeeping({ decision, attempt }: Settlement, work: Work): boolean {
  const { step, outcome, recordedAnswer } = decision
  const isTaken = outcome === 'accepted' && (recordedAnswer === 'accepted' || recordedAnswer === 'duplicate_exists')
  const isUndisputed = attempt.provenAbsences === 0 && attempt.unfulfilledSince === null
  return step.do === 'ask_again' && step.holdReason === null && isTaken && isUndisputed && work.supplier.callbackIsProof !== true
}

function attemptAfter({ attempt, spoken, decision }: Settlement): Attempt {
  const { supplierReference: said } = spoken
  const supplierReference = attempt.supplierReference ?? (said === null ? null : storable(said))
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
 * Remembers orders between the call that sent them and the question how they ended, so that they need not be read again.
 * An order whose lease has had another number meanwhile, or which stands on another attempt, is not what is remembered.
 */
export function keepOrders(): KeptOrders {
  const kept = new Map<string, Kept>()
  const sources = new WeakMap<Settlement, Work>()

  function keep(settlement: Settlement): void {
    const work = sources.get(settlement)
    const { id } = settlement.order
    if (!work || !isWorthKeeping(settlement, work)) return
    const [oldest] = kept.size >= keptMax ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(id, { claimed: claimedAfter(settlement, work), releasedAs: settlement.leaseNo + 1 })
  }

  return {
    find: ({ orderId, leaseNo, attemptId }) => {
      const known = kept.get(orderId)
      kept.delete(orderId)
      return known?.releasedAs === leaseNo - 1 && known.claimed.attempt?.id === attemptId ? known.claimed : undefined
    },
    heard: (settlement, work) => void sources.set(settlement, work),
    committed: ({ settled }) => {
      for (const settlement of settled) keep(settlement)
    },
  }
}
