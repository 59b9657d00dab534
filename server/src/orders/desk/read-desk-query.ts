import { readAccount } from '../../accounts/find-account.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import type { ProductFacts } from '../product-facts.ts'
import { findOrderIds } from '../queries/find-order-ids.ts'
import type { OrderQuery, RecipientForms } from '../queries/order-filters.ts'

export type DeskOrderDeps = {
  readonly db: Db
  readonly products: readonly ProductFacts[]
  readonly formsOfRecipient: (text: string) => Promise<RecipientForms>
}

/** The filters as in the address of the page. Days are days in Accra. */
export type OrderFiltersOfDesk = {
  readonly status?: OrderStatus
  readonly product?: string
  readonly network?: string
  readonly package?: string
  readonly role?: string
  readonly supplier?: string
  /** An e-mail or an id. */
  readonly account?: string
  readonly recipient?: string
  readonly reference?: string
  readonly only?: 'stuck' | 'held' | 'contradicted'
  readonly from?: string
  readonly to?: string
}

const dayMilliseconds = 24 * 3_600_000

const onlyThose: Readonly<Record<NonNullable<OrderFiltersOfDesk['only']>, Partial<OrderQuery>>> = {
  stuck: { isStuckOnly: true },
  held: { isHeldOnly: true },
  contradicted: { isContradictedOnly: true },
}

/** @throws AccountError when there is no such account */
export async function readDeskQuery(
  { db, products, formsOfRecipient }: DeskOrderDeps,
  { status, product, network, role, supplier, account, recipient, reference, only, from, to, ...rest }: OrderFiltersOfDesk,
): Promise<Omit<OrderQuery, 'limit'>> {
  return {
    ...(status !== undefined && { status }),
    ...(product !== undefined && { product }),
    // Reports call the orders without a network `none`; the query expects ''.
    ...(network !== undefined && { network: network === 'none' ? '' : network }),
    ...(rest.package !== undefined && { package: rest.package.trim() }),
    ...(role !== undefined && { role }),
    ...(supplier !== undefined && { supplier }),
    ...(only !== undefined && onlyThose[only]),
    ...(recipient !== undefined && (await formsOfRecipient(recipient.trim()))),
    ...(account !== undefined && { accountId: (await readAccount(db, account)).accountId }),
    ...(reference !== undefined && { ids: await findOrderIds(db, products, reference.trim()) }),
    // Accra's time is UTC. The period ends with the last millisecond of the day `to`.
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(Date.parse(to) + dayMilliseconds - 1) }),
  }
}
