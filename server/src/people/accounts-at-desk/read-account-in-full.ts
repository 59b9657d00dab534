import { findBusinessRequest } from '../../accounts/business/request-business-approval.ts'
import { findAccount } from '../../accounts/find-account.ts'
import { listKeys } from '../../accounts/list-keys.ts'
import { readAccountNotices } from '../../accounts/notices/set-account-notices.ts'
import { readPurses } from '../../money/members/read-purse-for-people.ts'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { listMembers } from '../manage-people.ts'
import { listInvitations } from '../team/invite-member.ts'
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

/** The dependencies of the desk's reads about accounts. The modules that use this folder provide the functions. */
export type AccountReads = {
  readonly db: Db
  readonly databaseNow: () => Date
  readonly listRolePrices: ListRolePrices
  readonly readSales: (accountIds: readonly string[], days: number) => Promise<ReadonlyMap<string, Sold>>
}

const salesDays = 30

export const accountNotFound = refuse(404, 'account_not_found', 'There is no such account.')

const viewSold = (sold: Sold | undefined) => ({ sales: sold?.sales ?? null, salesCountedFrom: sold?.countedFrom ?? null })

export async function listAccountLines({ readSales }: AccountReads, accounts: readonly FoundAccount[]) {
  const sales = await readSales(
    accounts.map(({ accountId }) => accountId),
    salesDays,
  )
  return accounts.map((account) => ({ ...account, ...viewSold(sales.get(account.accountId)) }))
}

/** @throws RefusalError 404 when there is no such account */
export async function readAccountInFull({ db, readSales }: AccountReads, accountId: string) {
  const account = await mustFindAccount(db, accountId)
  const [purses, sales, business, notices, keys, members, invitations] = await Promise.all([
    readPurses(db, accountId),
    readSales([accountId], salesDays),
    findBusinessRequest(db, accountId),
    readAccountNotices(db, accountId),
    listKeys(db, { accountId }),
    listMembers(db, accountId),
    listInvitations(db, accountId),
  ])
  const sold = sales.get(accountId)
  return {
    ...account,
    purses,
    ...viewSold(sold),
    orders: sold?.orders ?? null,
    days: sold?.days ?? [],
    businessName: business?.name ?? null,
    notices,
    keys,
    members,
    invitations,
  }
}

/** @throws RefusalError 404 where there is no such account */
export async function mustFindAccount(db: Db, accountId: string) {
  const account = await findAccount(db, accountId)
  if (!account) throw new RefusalError(accountNotFound)
  return account
}
