import { sql } from 'kysely'
import { type Finder, type FinderDeps, type Match, quoteForShell, type SearchText } from '../../platform/finding/finder.ts'
import { numberKey } from '../by-people/receipt-number.ts'
import { formatGhs, pesewas } from '../pesewas.ts'

type TopUpFound = {
  id: string
  account_id: string
  way: string
  reference: string
  amount: number
  state: string
  transfer_reference: string | null
}

async function findTopUps({ db }: FinderDeps, { text, id, amountPesewas }: SearchText, limit: number): Promise<Match[]> {
  const columns = sql`id, account_id, way, reference, amount, state, transfer_reference`
  const { rows } = await sql<TopUpFound>`
    select * from (select ${columns} from top_ups where id = ${id ?? null}::uuid limit 1) as by_id
    union
    select * from (select ${columns} from top_ups where reference = ${text} limit 1) as by_reference
    union
    select * from (select ${columns} from top_ups where transfer_key = ${numberKey(text)} order by id desc limit ${limit}) as by_transfer
    union
    select * from (
      select ${columns} from top_ups where amount = ${amountPesewas ?? null}::bigint order by id desc limit ${limit}
    ) as by_amount
    order by id desc limit ${limit}`.execute(db)
  return rows.map(({ id: topUpId, account_id: accountId, way, reference, amount, state, transfer_reference: transfer }) => ({
    type: 'top-up',
    id: topUpId,
    text: `A top-up of ${formatGhs(pesewas(amount))} to account ${accountId} by ${way}, ${transfer ?? reference}: ${state}.`,
    next: `makola top-up show ${quoteForShell(topUpId)}`,
    path: `/top-ups/${topUpId}`,
  }))
}

/** Finds top-ups by the number of the transfer, our reference at the gateway, the id, or the amount. */
export const topUpFinder: Finder = { finds: 'top-ups', find: findTopUps }
