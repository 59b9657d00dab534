import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { correctionKinds } from './correct-wallet.ts'
import { creditKinds } from './credit-by-people.ts'
import type { CreditedPurse } from './wallet-kinds.ts'

/** A credit by hand; `corrected` is the part of it that was taken back. Amounts are pesewas, or SMS credits. */
export type MadeCredit = {
  readonly creditId: string
  readonly purse: CreditedPurse
  readonly amount: number
  readonly corrected: number
  readonly externalId: string | null
  readonly note: string | null
  readonly actor: string
  readonly createdAt: Date
}

/** Lists the newest credits by hand of an account. */
export async function listCredits(db: Db, accountId: string, limit: number): Promise<MadeCredit[]> {
  const { rows } = await sql<MadeCredit>`
    select credit.id as "creditId", credit.purse, credit.amount, credit.external_id as "externalId", credit.note, credit.actor,
      credit.created_at as "createdAt",
      coalesce((select sum(amount) from wallet_corrections where credit_id = credit.id), 0)::bigint as corrected
    from wallet_credits as credit where credit.account_id = ${accountId} order by credit.id desc limit ${limit}`.execute(db)
  return rows
}

/** Lists the credits and corrections of an account that wait for a second person, oldest first. */
export async function listWaitingProposals(db: Db, accountId: string) {
  const kinds = [...creditKinds, ...correctionKinds]
  const rows = await db
    .selectFrom('approvals')
    .selectAll()
    .where('state', '=', 'pending')
    .where('subject', '=', accountId)
    .where(
      'kind',
      'in',
      kinds.map(({ name }) => name),
    )
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .orderBy('created_at')
    .execute()
  return rows.flatMap((row) => {
    const kind = kinds.find(({ name }) => name === row.kind)
    // The shape was checked when it was proposed.
    return kind ? { ...row, what: kind.describe(row.request as never) } : []
  })
}
