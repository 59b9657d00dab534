import type { AnswerSource, Attempt } from '../attempt.ts'
import type { Decision } from '../next-step.ts'
import type { Order, SoldBy } from '../order.ts'

/** A supplier's or a person's answer, as the operator sees it. */
export type SpokenAnswer = {
  readonly source: AnswerSource | 'person'
  readonly evidence: string
  readonly supplierReference: string | null
  readonly reportedCostPesewas: number | null
  readonly reportedCommissionPesewas: number | null
  readonly accountName: string | null
}

/** An answer, the decision on it, and the lease under which it came. */
export type Settlement = {
  readonly order: Order
  readonly product: SoldBy
  /** The bundle, such as `MTN 1GB`. */
  readonly title: string
  readonly attempt: Attempt
  readonly leaseNo: number
  /** The order's hold reason before this answer. */
  readonly holdReason: string | null
  readonly spoken: SpokenAnswer
  readonly decision: Decision
  /** True when a failure of the order now is refunded in the same transaction. */
  readonly refunds: boolean
  readonly actor: string
}

/** The result of a batch. `late` are answers whose lease was lost: they are recorded but change nothing. */
export type SettledBatch = { readonly settled: readonly Settlement[]; readonly late: readonly Settlement[] }
