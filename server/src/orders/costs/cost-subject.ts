import type { RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** One thing whose cost can be entered: a batch, a type, a link, a gateway. */
export type CostKey = {
  readonly key: string
  /** The name shown on screens and in reports. */
  readonly title: string
  /** From when its cost counts unless another moment is named. Null: from now. */
  readonly since: Date | null
}

/** What a product, or taking payments, costs us where no supplier reports it. */
export type CostSubject = {
  /** The product as reports name it. */
  readonly product: string
  readonly title: string
  /** What is counted, in words: `voucher`, `segment`. */
  readonly unit: string
  /** Whether a part of the amount is charged too, as payment gateways do. */
  readonly takesPercent: boolean
  readonly listKeys: (db: Db) => Promise<CostKey[]>
}

/**
 * How many units a delivered order took, by the keys of their costs: a select of `key`, `other_key` and `units` for the order
 * `ended.order_id`. The cost of `other_key` counts where `key` has none.
 */
export type CostUnits = RawBuilder<unknown>
