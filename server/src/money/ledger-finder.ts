import { sql } from 'kysely'
import type { Finder, FinderDeps, Match, Wanted } from '../platform/finding/finder.ts'
import { amountIn, formatAmount, unitOfPurse } from './amount.ts'
import type { AccountPurse, PlatformPurse, TransferKind } from './money.tables.ts'
import { formatGhs, pesewas } from './pesewas.ts'
import { kindsOfOrders } from './statement/list-entries.ts'

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

async function findCredits({ db }: FinderDeps, { text, id }: Wanted): Promise<Match[]> {
  const { rows } = await sql<CreditRow>`
    select * from wallet_credits where external_id = ${text}
    union
    select * from wallet_credits where id = ${id ?? null}::uuid`.execute(db)
  return rows.map((credit) => {
    const amount = formatAmount(amountIn(unitOfPurse(credit.purse), credit.amount))
    const name = credit.external_id === null ? '' : ` ${credit.external_id}`
    return {
      type: 'credit',
      id: credit.id,
      text: `The credit${name} of ${amount} to account ${credit.account_id}, by ${credit.actor} at ${credit.created_at.toISOString()}.`,
      next: statementCommand(credit.purse, credit.account_id, credit.created_at),
      path: `/accounts/${credit.account_id}`,
    }
  })
}

/** Finds credits made by hand, by the id that they were given (a receipt's number) or by their own. */
export const creditFinder: Finder = { finds: 'credits', find: findCredits }

type MoveRow = { id: string; account_id: string; external_id: string | null; amount: number; created_at: Date }

async function findCommissionMoves({ db }: FinderDeps, { text }: Wanted, limit: number): Promise<Match[]> {
  const { rows } = await sql<MoveRow>`
    select * from commission_moves where external_id = ${text} order by id desc limit ${limit}`.execute(db)
  return rows.map((move) => ({
    type: 'commission move',
    id: move.id,
    text: `Commission of ${formatGhs(pesewas(move.amount))} that account ${move.account_id} moved to its main wallet at ${move.created_at.toISOString()}.`,
    next: statementCommand('commission', move.account_id, move.created_at),
    path: `/accounts/${move.account_id}`,
  }))
}

/** Finds moves of commission to the main wallet by the id that their account gave them. */
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

/** The next command: for an order, show it; for another movement, show the statement of its purse. */
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

async function findTransfers({ db }: FinderDeps, { id }: Wanted): Promise<Match[]> {
  if (id === undefined) return []
  const { rows } = await sql<TransferRow>`select * from transfers where cause_id = ${id} order by created_at`.execute(db)
  return rows.map((row) => {
    const unit = [row.from_purse, row.to_purse].includes('sms_credits') ? 'credits' : 'pesewas'
    const amount = formatAmount(amountIn(unit, row.amount))
    return {
      type: 'transfer',
      id: row.cause_id,
      text: `A transfer of account ${row.account_id} (${row.kind}): ${amount} from ${row.from_purse} to ${row.to_purse} at ${row.created_at.toISOString()}.`,
      next: nextOf(row),
      path: kindsOfOrders.has(row.kind) ? `/orders/${row.cause_id}` : `/accounts/${row.account_id}`,
    }
  })
}

/** Finds what moved in the books by the id of its cause, such as an order, a credit or a top-up. */
export const transferFinder: Finder = { finds: 'transfers', find: findTransfers }
