import type { RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** One thing whose cost can be entered: a batch, a type, a link, a gateway. */
export type CostKey = {
  readonly key: string
  readonly title: string
  /** The time from which a new cost counts when the operator names none. Null: from now. */
  readonly since: Date | null
}

/** A thing whose cost no supplier reports: a product, or taking payments. */
export type CostSubject = {
  readonly product: string
  readonly title: string
  /** The noun of one unit: `voucher`, `segment`. */
  readonly unit: string
  /** True where a percentage of the amount is charged too, as payment gateways do. */
  readonly takesPercent: boolean
  readonly listKeys: (db: Db) => Promise<CostKey[]>
}

/**
 * A select that gives how many units of each cost the delivered order `ended.order_id` used, in the columns `key`, `other_key`
 * and `units`. The cost of `other_key` counts where `key` has none.
 */
export type CostUnits = RawBuilder<unknown>
