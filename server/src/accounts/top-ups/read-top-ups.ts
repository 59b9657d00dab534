import { sql } from 'kysely'
import { readCreditLimit } from '../../money/money.settings.ts'
import { listPictured, listTopUps, type TopUpQuery } from '../../money/top-ups/list-top-ups.ts'
import { readSameTransfer, readTopUp, type TopUpRow } from '../../money/top-ups/read-top-up.ts'
import { isSamePerson } from '../../platform/approvals/two-people.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { confirmationKind } from './confirm-transfers.ts'

type Owner = { name: string; email: string }

async function readOwners(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  if (ids.length === 0) return new Map()
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(accounts.map((account) => [account.id, account]))
}

const withFacts = (row: TopUpRow, owner: Owner | undefined, hasPicture: boolean) => ({
  ...row,
  account_name: owner?.name ?? '',
  email: owner?.email ?? '',
  charged: row.amount + row.fee,
  has_picture: hasPicture,
})

/** A page of top-ups for the staff, newest first. */
export async function readTopUpPage(db: Db, query: TopUpQuery) {
  const { topUps, next } = await listTopUps(db, query)
  const [owners, pictured] = await Promise.all([
    readOwners(
      db,
      topUps.map((row) => row.account_id),
    ),
    listPictured(
      db,
      topUps.map(({ id }) => id),
    ),
  ])
  return { topUps: topUps.map((row) => withFacts(row, owners.get(row.account_id), pictured.has(row.id))), next }
}

/** Finds the proposal to a second person to confirm this transfer, if one waits. */
async function readProposal(db: Db, topUpId: string, reader: string) {
  const row = await db
    .selectFrom('approvals')
    .select(['id as approval_id', 'proposed_by', 'expires_at'])
    .where('kind', '=', confirmationKind.name)
    .where('key', '=', topUpId)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!row) return null
  return { ...row, is_yours: isSamePerson(row.proposed_by, reader) }
}

/**
 * Reads a top-up with everything that the staff need to decide about it.
 *
 * @param reader the e-mail of the person who reads
 * @returns undefined when there is no such top-up
 */
export async function readTopUpDetails(db: Db, id: string, { reader, isLive }: { reader: string; isLive: boolean }) {
  const row = await readTopUp(db, id)
  if (!row) return undefined
  const [owners, pictured, same, proposal, wallet, limit] = await Promise.all([
    readOwners(db, [row.account_id]),
    listPictured(db, [row.id]),
    readSameTransfer(db, row),
    readProposal(db, row.id, reader),
    db
      .selectFrom('wallets')
      .select('balance')
      .where('account_id', '=', row.account_id)
      .where('purse', '=', 'main')
      .executeTakeFirst(),
    inTransaction(db, (tx) => readCreditLimit(tx, 'main', isLive)),
  ])
  return {
    ...withFacts(row, owners.get(row.account_id), pictured.has(row.id)),
    takes_two: row.way === 'transfer' && row.amount > limit,
    proposal,
    balance: wallet?.balance ?? 0,
    same_transfer: same,
  }
}
