import { findBusinessRequest } from '../../accounts/business/request-business-approval.ts'
import { findAccount } from '../../accounts/find-account.ts'
import { listKeys } from '../../accounts/list-keys.ts'
import { readAccountNotices } from '../../accounts/notices/set-account-notices.ts'
import { readPurses, type WalletRouteDeps } from '../../money/members/read-purse-for-people.ts'
import { ghs, ghsIfKnown, type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { listMembers } from '../manage-people.ts'
import { listInvitations } from '../team/invite-member.ts'
import type { Throttle } from '../throttle.ts'
import type { FoundAccount } from './find-accounts.ts'
import type { ListRolePrices } from './preview-role.ts'

/**
 * Sales of several days, less the refunds made on them. Days that are not counted yet are null; the sums are those since
 * `countedFrom`, and null when no day is counted.
 */
type Sold = {
  readonly days: readonly { readonly day: string; readonly sales: Pesewas | null }[]
  readonly orders: number | null
  readonly sales: Pesewas | null
  readonly countedFrom: string | null
}

/** Functions that the desk's routes about accounts use. They come from folders above this one, so they are passed in. */
export type AccountDeskDeps = WalletRouteDeps & {
  readonly throttle: Throttle
  readonly databaseNow: () => Date
  readonly listRolePrices: ListRolePrices
  readonly readSales: (accountIds: readonly string[], days: number) => Promise<ReadonlyMap<string, Sold>>
}

export const salesDays = 30

export const accountNotFound = refuse(404, 'account_not_found', 'There is no such account.')

const viewSold = (sold: Sold | undefined) => ({
  sales: ghsIfKnown(sold?.sales),
  sales_counted_from: sold?.countedFrom ?? null,
})

/** The facts that both the list and the account's own page show. */
function viewSummary(account: Omit<FoundAccount, 'main' | 'isLow' | 'lastActiveAt'>) {
  return {
    account_id: account.accountId,
    name: account.name,
    email: account.email,
    role: account.role,
    role_expires_at: account.roleExpiresAt?.toISOString() ?? null,
    status: account.status,
    is_business: account.isBusiness,
    created_at: account.createdAt.toISOString(),
  }
}

export async function viewAccountLines({ readSales }: AccountDeskDeps, accounts: readonly FoundAccount[]) {
  const sales = await readSales(
    accounts.map(({ accountId }) => accountId),
    salesDays,
  )
  return accounts.map((account) => ({
    ...viewSummary(account),
    balance: ghs(pesewas(account.main)),
    is_low: account.isLow,
    ...viewSold(sales.get(account.accountId)),
    last_active_at: account.lastActiveAt?.toISOString() ?? null,
  }))
}

/** @throws RefusalError 404 when there is no such account */
export async function readAccountInFull(deps: AccountDeskDeps, accountId: string) {
  const { db } = deps
  const account = await findAccount(db, accountId)
  if (!account) throw new RefusalError(accountNotFound)
  const [purses, sales, business, notices, keys, members, invitations] = await Promise.all([
    readPurses(db, accountId),
    deps.readSales([accountId], salesDays),
    findBusinessRequest(db, accountId),
    readAccountNotices(db, accountId),
    listKeys(db, { accountId }),
    listMembers(db, accountId),
    listInvitations(db, accountId),
  ])
  const sold = sales.get(accountId)
  return {
    ...viewSummary(account),
    purses,
    ...viewSold(sold),
    orders: sold?.orders ?? null,
    days: (sold?.days ?? []).map(({ day, sales: amount }) => ({ day, sales: ghsIfKnown(amount) })),
    policy_accepted_at: account.policyAcceptedAt?.toISOString() ?? null,
    business_name: business?.name ?? null,
    notices: {
      low_balance: notices.lowBalancePesewas === null ? null : ghs(notices.lowBalancePesewas),
      phone: notices.phone,
      muted: [...notices.muted],
    },
    keys: keys.map((key) => ({
      key_id: key.keyId,
      type: key.type,
      status: key.status,
      hint: key.hint,
      created_at: key.createdAt.toISOString(),
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      last_used_ip: key.lastUsedAddress,
    })),
    members: members.map(({ personId, name, email, role, hasTwoFactor }) => ({
      person_id: personId,
      name,
      email,
      role,
      has_two_factor: hasTwoFactor,
    })),
    invitations: invitations.map(({ invitationId, email, role, expiresAt }) => ({
      invitation_id: invitationId,
      email,
      role,
      expires_at: expiresAt.toISOString(),
    })),
  }
}

/** @throws RefusalError 404 where there is no such account */
export async function mustFindAccount(db: Db, accountId: string) {
  const account = await findAccount(db, accountId)
  if (!account) throw new RefusalError(accountNotFound)
  return account
}
