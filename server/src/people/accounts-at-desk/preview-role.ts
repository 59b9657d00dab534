import { pricingRole, type Role } from '../../accounts/caller.ts'
import { readAccount } from '../../accounts/find-account.ts'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'

export type ListRolePrices = () => Promise<readonly { readonly name: string; readonly prices: Readonly<Record<Role, Pesewas>> }[]>

type PriceChange = { readonly name: string; readonly before: Pesewas; readonly after: Pesewas }
type ShareChange = { readonly product: string; readonly before: number; readonly after: number }

/** The account's present prices and shares, and those with another role. */
export type RolePreview = {
  /** The present role; `customer` after its expiry. */
  readonly before: Role
  readonly after: Role
  readonly prices: readonly PriceChange[]
  /** Shares of the commission, in percent. */
  readonly shares: readonly ShareChange[]
}

async function listShares(db: Db, before: Role, after: Role): Promise<ShareChange[]> {
  const rows = await db.selectFrom('commission_shares').selectAll().orderBy('product').execute()
  const shareOf = (product: string, role: Role) =>
    (rows.find((row) => row.product === product && row.role === role)?.share_basis_points ?? 0) / 100
  return [...new Set(rows.map(({ product }) => product))].map((product) => ({
    product,
    before: shareOf(product, before),
    after: shareOf(product, after),
  }))
}

/**
 * Compares an account's present prices and commission shares with those of another role.
 * @throws AccountError when there is no such account
 */
export async function previewRole(
  deps: { readonly db: Db; readonly listRolePrices: ListRolePrices; readonly databaseNow: () => Date },
  { accountId, role: after }: { readonly accountId: string; readonly role: Role },
): Promise<RolePreview> {
  const account = await readAccount(deps.db, accountId)
  const before = pricingRole(account.role, account.roleExpiresAt, deps.databaseNow())
  const [prices, shares] = await Promise.all([deps.listRolePrices(), listShares(deps.db, before, after)])
  return {
    before,
    after,
    prices: prices.map(({ name, prices: of }) => ({ name, before: of[before], after: of[after] })),
    shares,
  }
}
