import { sql } from 'kysely'
import type { TableRow } from '../platform/database/database.ts'
import type { Finder, FinderDeps, Match, SearchText } from '../platform/finding/finder.ts'
import { showMoment } from '../platform/texts-for-people.ts'
import { amountIn, formatAmount, unitOfPurse } from './amount.ts'
import { receiptIdsOf } from './by-people/receipt-number.ts'
import type { AccountPurse, PlatformPurse, TransferKind } from './money.tables.ts'
import { formatGhs, pesewas } from './pesewas.ts'
import { kindsOfOrders } from './statement/list-entries.ts'

const inWords = (code: string): string => code.replaceAll('_', ' ')

const statementOf: Readonly<Record<AccountPurse, string>> = {
  main: 'wallet statement',
  commission: 'commission statement',
  sms_credits: 'wallet statement --purse sms_credits',
}

/** The command that shows a purse's entries on the day of this moment. */
function statementCommand(purse: AccountPurse, accountId: string, at: Date): string {
  const day = at.toISOString().slice(0, 10)
  return `makola ${statementOf[purse]} --account ${accountId} --from ${day} --to ${day}`
}

type CreditRow = {
  id: string
  account_id: string
  purse: AccountPurse
  external_id: string | null
  amount: number
  actor: string
  created_at: Date
}

async function findCredits({ db }: FinderDeps, { text, id, amountPesewas }: SearchText, limit: number): Promise<Match[]> {
  const { rows } = await sql<CreditRow>`
    select * from wallet_credits where external_id = any(${receiptIdsOf(text)})
    union
    select * from wallet_credits where id = ${id ?? null}::uuid
    union
    select * from (
      select * from wallet_credits
      where amount = ${amountPesewas ?? null}::bigint and purse <> 'sms_credits' order by id desc limit ${limit}
    ) as of_amount
    order by id desc limit ${limit}`.execute(db)
  return [...rows.map(matchOf), ...(await findWaitingCredits(db, text))]
}

/** Finds credits that wait for a second person, by the number of their receipt. */
async function findWaitingCredits(db: FinderDeps['db'], text: string): Promise<Match[]> {
  const { rows } = await sql<TableRow<'approvals', 'id' | 'key' | 'subject' | 'proposed_by'>>`
    select id, key, subject, proposed_by from approvals
    where kind in ('wallet credit', 'sms credit') and key = any(${receiptIdsOf(text)}) and state = 'pending'`.execute(db)
  return rows.map(({ id, key, subject, proposed_by: by }) => ({
    type: 'proposal',
    id,
    text: `A credit for ${key} to account ${subject} waits for a second person; ${by} proposed it.`,
    next: 'makola approvals list',
    path: `/approvals/${id}`,
  }))
}

function matchOf(credit: CreditRow): Match {
  const amount = formatAmount(amountIn(unitOfPurse(credit.purse), credit.amount))
  const name = credit.external_id === null ? '' : ` ${credit.external_id}`
  return {
    type: 'credit',
    id: credit.id,
    text: `The credit${name} of ${amount} to account ${credit.account_id}, by ${credit.actor} at ${showMoment(credit.created_at)}.`,
    next: statementCommand(credit.purse, credit.account_id, credit.created_at),
    path: `/accounts/${credit.account_id}`,
  }
}

/**
 * Finds credits by hand, by their external id (a receipt's number), their own id, or their amount in GHS. Also finds credits
 * that wait for a second person.
 */
export const creditFinder: Finder = { finds: 'credits', find: findCredits }

type MoveRow = { id: string; account_id: string; external_id: string | null; amount: number; created_at: Date }

async function findCommissionMoves({ db }: FinderDeps, { text, amountPesewas }: SearchText, limit: number): Promise<Match[]> {
  const { rows } = await sql<MoveRow>`
    select * from (select * from commission_moves where external_id = ${text} order by id desc limit ${limit}) as of_id
    union
    select * from (
      select * from commission_moves where amount = ${amountPesewas ?? null}::bigint order by id desc limit ${limit}
    ) as of_amount
    order by id desc limit ${limit}`.execute(db)
  return rows.map((move) => ({
    type: 'commission move',
    id: move.id,
    text: `Commission of ${formatGhs(pesewas(move.amount))} that account ${move.account_id} moved to its main wallet at ${showMoment(move.created_at)}.`,
    next: statementCommand('commission', move.account_id, move.created_at),
    path: `/accounts/${move.account_id}`,
  }))
}

/** Finds moves of commission to the main wallet, by the id that the account gave them or by their amount. */
export const commissionMoveFinder: Finder = { finds: 'commission moves', find: findCommissionMoves }

type TransferRow = {
  cause_id: string
  kind: TransferKind
  account_id: string
  from_purse: AccountPurse | PlatformPurse
  to_purse: AccountPurse | PlatformPurse
  amount: number
  created_at: Date
}

/** The next command: for an order, show it; for another transfer, show the statement of its purse. */
function nextOf({
  kind,
  cause_id: causeId,
  account_id: accountId,
  from_purse: fromPurse,
  to_purse: toPurse,
  created_at: at,
}: TransferRow) {
  if (kind === 'commission_move') return statementCommand('commission', accountId, at)
  const isOfCredits = [fromPurse, toPurse].includes('sms_credits')
  return kindsOfOrders.has(kind)
    ? `makola order show ${causeId}`
    : statementCommand(isOfCredits ? 'sms_credits' : 'main', accountId, at)
}

async function findTransfers({ db }: FinderDeps, { id }: SearchText): Promise<Match[]> {
  if (id === undefined) return []
  const { rows } = await sql<TransferRow>`select * from transfers where cause_id = ${id} order by created_at`.execute(db)
  return rows.map((row) => {
    const unit = [row.from_purse, row.to_purse].includes('sms_credits') ? 'credits' : 'pesewas'
    const amount = formatAmount(amountIn(unit, row.amount))
    return {
      type: 'transfer',
      id: row.cause_id,
      text: `A transfer of account ${row.account_id} (${inWords(row.kind)}): ${amount} from ${inWords(row.from_purse)} to ${inWords(row.to_purse)} at ${showMoment(row.created_at)}.`,
      next: nextOf(row),
      path: kindsOfOrders.has(row.kind) ? `/orders/${row.cause_id}` : `/accounts/${row.account_id}`,
    }
  })
}

/** Finds transfers by the id of their cause, such as an order, a credit or a top-up. */
export const transferFinder: Finder = { finds: 'transfers', find: findTransfers }
