import type { Attempt } from '../attempt.ts'
import type { ClaimedOrder, FindKept } from '../schedule/claim-open-orders.ts'
import { type SettledBatch, type Settlement, storable } from '../settlement/settle-attempts.ts'
import type { Work } from './perform-work.ts'

/** Orders that this worker sent and that their suppliers took, kept in memory until the next question. */
export type KeptOrders = {
  /** Returns a kept order and forgets it. Undefined when its lease or its attempt has changed since. */
  readonly find: FindKept
  /** Called before an answer is committed, with the call that got it. */
  noteAnswer(settlement: Settlement, work: Work): void
  /** Keeps the orders of a committed batch that `isWorthKeeping` chooses. */
  committed(batch: SettledBatch): void
}

type Kept = { readonly claimed: ClaimedOrder; readonly releasedAs: number }

/** Above this number the oldest orders are forgotten. They are read again when they are claimed. */
const keptMax = 10_000

/**
 * True when the supplier took the order and no answer so far counts towards a proof, so that only the delivery is awaited.
 * False for suppliers whose callbacks are proof, because a callback must be read.
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
 * Keeps orders in memory between their send and the question how they ended, so that they need not be read again. An order
 * whose lease or attempt has changed since is read again.
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
    find: ({ orderId, leaseNo, attemptNo }) => {
      const known = kept.get(orderId)
      kept.delete(orderId)
      return known?.releasedAs === leaseNo - 1 && (known.claimed.attempt?.attemptNo ?? null) === attemptNo
        ? known.claimed
        : undefined
    },
    noteAnswer: (settlement, work) => void sources.set(settlement, work),
    committed: ({ settled }) => {
      for (const settlement of settled) keep(settlement)
    },
  }
}
