import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { AccountPurse } from '../money.tables.ts'
import type { Checkpoint, ProofBook } from './proof-book.ts'

/** Consecutive entries of a wallet, with the balances before and after them. */
export type WalletSpan = {
  readonly account_id: string
  readonly purse: AccountPurse
  /** The number of the entry before the first; 0 where the span begins with the wallet. */
  readonly start_no: number
  readonly start_balance: number
  readonly end_no: number
  /** The balance after the last entry of the span; null where that entry is missing. */
  readonly end_balance: number | null
}

/** The states of the wallets at the ends of proven spans that have entries. */
export const checkpointsAfter = (spans: readonly WalletSpan[]): Checkpoint[] =>
  spans.flatMap(({ account_id: accountId, purse, start_no, end_no: entryNo, end_balance: balance }) =>
    entryNo > start_no && balance !== null ? [{ accountId, purse, entryNo, balance }] : [],
  )

type WalletRow = Omit<WalletSpan, 'end_balance'> & { readonly end_balance: number }

type FoundWallet = Pick<WalletRow, 'account_id' | 'purse' | 'end_no' | 'end_balance'> & {
  readonly proven_no: number | null
  readonly proven_balance: number | null
  readonly keyed_hash: Buffer | null
}

/**
 * Lets the check of a wallet begin at its checkpoint, or at its first entry when there is no book, or the checkpoint is missing
 * or altered.
 */
function startAtCheckpoint(
  { proven_no, proven_balance, keyed_hash, ...wallet }: FoundWallet,
  book: ProofBook | undefined,
): WalletRow {
  const { account_id: accountId, purse } = wallet
  if (book && proven_no !== null && proven_balance !== null && keyed_hash !== null) {
    const checkpoint = { accountId, purse, entryNo: proven_no, balance: proven_balance }
    if (book.isGenuine(checkpoint, keyed_hash)) return { ...wallet, start_no: proven_no, start_balance: proven_balance }
  }
  return { ...wallet, start_no: 0, start_balance: 0 }
}

/** True when the wallet has no entry since its checkpoint, or none at all, and its balance is unchanged. */
const isAsProven = (span: WalletRow) => span.start_no === span.end_no && span.start_balance === span.end_balance

const pageWallets = 500

/** Reads the next wallets in order, each with the range of its entries that the audit checks. */
async function readPage(db: Db, book: ProofBook | undefined, after: WalletSpan | undefined): Promise<WalletRow[]> {
  const later = after ? sql`where (account_id, purse) > (${after.account_id}::uuid, ${after.purse})` : sql``
  const { rows } = await sql<FoundWallet>`
    select account_id, purse, last_entry_no as end_no, wallets.balance as end_balance,
      entry_no as proven_no, wallet_checkpoints.balance as proven_balance, keyed_hash
    from wallets left join wallet_checkpoints using (account_id, purse)
    ${later} order by account_id, purse limit ${pageWallets}`.execute(db)
  return rows.map((wallet) => startAtCheckpoint(wallet, book))
}

async function readBalanceAfter(db: Db, { account_id, purse }: WalletSpan, entryNo: number): Promise<number | null> {
  const { rows } = await sql<{ balance: number }>`
    select from_balance_after as balance from transfers
    where account_id = ${account_id} and from_purse = ${purse} and from_entry_no = ${entryNo}
    union all
    select to_balance_after from transfers
    where account_id = ${account_id} and to_purse = ${purse} and to_entry_no = ${entryNo}`.execute(db)
  return rows[0]?.balance ?? null
}

type PutAwayRow = Selectable<Tables['put_away_wallets']>

/**
 * Lists the ranges of a wallet's entries that are still in the tables: before, between and after the entries that are put away.
 * Entries that are put away were proven before, and their balances were noted.
 */
function leavePutAway(wallet: WalletRow, putAway: readonly PutAwayRow[]): WalletRow[] {
  const own = putAway.filter(({ account_id, purse }) => account_id === wallet.account_id && purse === wallet.purse)
  const present: WalletRow[] = []
  let rest = wallet
  for (const { opening_no, opening_balance, closing_no, closing_balance } of own) {
    if (closing_no <= rest.start_no) continue
    if (opening_no > rest.start_no) present.push({ ...rest, end_no: opening_no, end_balance: opening_balance })
    rest = { ...rest, start_no: closing_no, start_balance: closing_balance }
  }
  return [...present, rest]
}

/** Reads what is put away of these wallets, oldest first. */
async function readPutAway(db: Db, page: readonly WalletRow[]): Promise<PutAwayRow[]> {
  return db
    .selectFrom('put_away_wallets')
    .selectAll()
    .where(sql<boolean>`account_id = any(${page.map(({ account_id }) => account_id)}::uuid[])`)
    .orderBy('opening_no')
    .execute()
}

/** Cuts a wallet's entries into spans of at most `entriesMax` entries. */
async function* cutSpan(db: Db, whole: WalletRow, entriesMax: number): AsyncGenerator<WalletSpan> {
  let { start_no: startNo, start_balance: startBalance } = whole
  while (whole.end_no - startNo > entriesMax) {
    const endNo = startNo + entriesMax
    const endBalance = await readBalanceAfter(db, whole, endNo)
    yield { ...whole, start_no: startNo, start_balance: startBalance, end_no: endNo, end_balance: endBalance }
    // An entry is missing. The span above already reports that, and without its balance no later span can be checked.
    if (endBalance === null) return
    ;[startNo, startBalance] = [endNo, endBalance]
  }
  yield { ...whole, start_no: startNo, start_balance: startBalance }
}

/**
 * Cuts the entries of all wallets into pieces of about `entriesMax` entries. With a book, a wallet begins at its checkpoint,
 * and wallets without a new entry are left out. Without a book, it begins at its first entry. A wallet occurs once in a piece.
 * Entries never change, so the spans can still be proven after the wallets have got new entries.
 */
export async function* walletPieces(
  db: Db,
  { book, entriesMax }: { readonly book: ProofBook | undefined; readonly entriesMax: number },
): AsyncGenerator<readonly WalletSpan[]> {
  let after: WalletSpan | undefined
  for (;;) {
    const page = await readPage(db, book, after)
    let piece: WalletSpan[] = []
    let entries = 0
    const putAway = await readPutAway(db, page)
    for (const wallet of book ? page.filter((found) => !isAsProven(found)) : page) {
      for (const present of leavePutAway(wallet, putAway)) {
        for await (const span of cutSpan(db, present, entriesMax)) {
          piece.push(span)
          entries += Math.max(0, span.end_no - span.start_no)
          const isWalletCut = span.end_no !== wallet.end_no
          if (entries < entriesMax && !isWalletCut) continue
          yield piece
          ;[piece, entries] = [[], 0]
        }
      }
    }
    if (piece.length > 0) yield piece
    after = page.at(-1)
    if (page.length < pageWallets) return
  }
}

/**
 * The spans as a table `span` for the audit's rules. Leaves out spans with entries that were put away after the spans were cut.
 */
export function spansOfWallets(spans: readonly WalletSpan[]): RawBuilder<unknown> {
  const rows = rowsOf(spans, {
    account_id: ['uuid', (span) => span.account_id],
    purse: ['text', (span) => span.purse],
    start_no: ['bigint', (span) => span.start_no],
    start_balance: ['bigint', (span) => span.start_balance],
    end_no: ['bigint', (span) => span.end_no],
    end_balance: ['bigint', (span) => span.end_balance],
  })
  return sql`(select * from ${rows.as('span')} where not exists (select from put_away_wallets as away
    where away.account_id = span.account_id and away.purse = span.purse
      and away.opening_no < span.end_no and away.closing_no > span.start_no)) as span`
}
