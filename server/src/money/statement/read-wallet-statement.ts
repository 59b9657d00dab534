import { sql } from 'kysely'
import { formatHead, readPresentHeads } from '../../platform/chains/recorded-heads.ts'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { operatorNameSetting } from '../money.settings.ts'
import type { TransferKind } from '../money.tables.ts'
import { transfersChain } from '../transfers-chain.ts'
import { readWallet, type WalletKey, type WalletState } from '../wallets.ts'
import { type EntryRange, listEntries } from './list-entries.ts'
import { createMissingEntryError, entriesPutAway, findLastPutAway, findPutAwayEntry } from './put-away-entries.ts'
import {
  type KindTotal,
  type MonthTotal,
  type NameOrders,
  type Statement,
  StatementBrokenError,
  type StatementEntry,
  type StatementRequest,
  statementPartEntries,
} from './statement.ts'
import type { StatementHeading } from './write-statement-pdf.ts'

type PlacedEntry = { created_at: Date; balance_after: number }

async function findEntry(db: Db, { accountId, purse }: WalletKey, entryNo: number): Promise<PlacedEntry | undefined> {
  const { rows } = await sql<PlacedEntry>`
    select created_at, from_balance_after as balance_after from transfers
    where account_id = ${accountId} and from_purse = ${purse} and from_entry_no = ${entryNo}
    union all
    select created_at, to_balance_after from transfers
    where account_id = ${accountId} and to_purse = ${purse} and to_entry_no = ${entryNo}`.execute(db)
  return rows[0]
}

const whyMissing = (db: Db, key: WalletKey, entryNo: number) =>
  createMissingEntryError(db, key, entryNo, `Entry ${entryNo} of this wallet is missing.`)

async function readEntry(db: Db, key: WalletKey, entryNo: number): Promise<PlacedEntry> {
  const entry = await findEntry(db, key, entryNo)
  if (!entry) throw await whyMissing(db, key, entryNo)
  return entry
}

/**
 * True when an entry was made before a moment.
 * @throws RefusalError 409 when the entry and the month of the moment are put away
 */
async function isMadeBefore(db: Db, key: WalletKey, entryNo: number, moment: Date): Promise<boolean> {
  const entry = await findEntry(db, key, entryNo)
  if (entry) return entry.created_at < moment
  const putAway = await findPutAwayEntry(db, key, entryNo)
  if (!putAway) throw await whyMissing(db, key, entryNo)
  if (moment > putAway.monthBegin && moment < putAway.monthEnd) throw new RefusalError(entriesPutAway)
  return moment >= putAway.monthEnd
}

/**
 * The upper limit of the search: we assume that no wallet ever has so many entries. The limit is fixed, so that a search for
 * the same moment finds the same entry also after the wallet has grown.
 */
const entriesMax = 2 ** 40

/**
 * Finds the number of the first entry that was made at a moment or later. If there is none, it is one above the last
 * number. The search halves the range, because entries are in the order of time. Even if the clock was once set back, the
 * same moment always leads to the same entry, so consecutive months share no entry and leave none out.
 */
async function findFirstEntryNo(db: Db, key: WalletKey, { lastEntryNo }: WalletState, moment: Date): Promise<number> {
  let [low, high] = [1, entriesMax]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const isBefore = middle <= lastEntryNo && (await isMadeBefore(db, key, middle, moment))
    if (isBefore) low = middle + 1
    else high = middle
  }
  return Math.min(low, lastEntryNo + 1)
}

/**
 * The numbers of a purse's first and last entry of a period. Where the period has no entry, the first is above the last. A period
 * without a beginning begins after the months that are put away.
 */
export async function findEntryNumbers(
  db: Db,
  key: WalletKey,
  wallet: WalletState,
  period: Pick<StatementRequest, 'from' | 'until'>,
): Promise<{ readonly firstNo: number; readonly lastNo: number }> {
  const { from = (await findLastPutAway(db, key))?.monthEnd, until } = period
  if (!period.from && from && until && until <= from) throw new RefusalError(entriesPutAway)
  const firstNo = from ? await findFirstEntryNo(db, key, wallet, from) : 1
  const lastNo = until ? (await findFirstEntryNo(db, key, wallet, until)) - 1 : wallet.lastEntryNo
  return { firstNo, lastNo }
}

type EntryNumbers = { readonly firstNo: number; readonly lastNo: number }

/** Number of documents for these entries; one where there are none. */
const countParts = ({ firstNo, lastNo }: EntryNumbers) => Math.max(1, Math.ceil((lastNo - firstNo + 1) / statementPartEntries))

/** The numbers of a part. The first is above the last where there is no such part. */
function cutPart({ firstNo, lastNo }: EntryNumbers, part: number): EntryNumbers {
  const first = Math.min(firstNo + (part - 1) * statementPartEntries, lastNo + 1)
  return { firstNo: first, lastNo: Math.min(lastNo, first + statementPartEntries - 1) }
}

/**
 * One document of a statement. `entries` is the number of entries in it; `from` and `to` are the times of its first and its
 * last entry, null without entries.
 */
export type StatementPart = {
  readonly part: number
  readonly entries: number
  readonly from: Date | null
  readonly to: Date | null
}

/** Lists the documents of a statement, without proving that it adds up. */
export async function listStatementParts(db: Db, { accountId, purse, from, until }: StatementRequest): Promise<StatementPart[]> {
  const key = { accountId, purse }
  const all = await findEntryNumbers(db, key, await readWallet(db, key), { ...(from && { from }), ...(until && { until }) })
  const momentOf = async (entryNo: number) => (await readEntry(db, key, entryNo)).created_at
  const parts: StatementPart[] = []
  for (let part = 1; part <= countParts(all); part += 1) {
    const { firstNo, lastNo } = cutPart(all, part)
    const entries = lastNo - firstNo + 1
    const isEmpty = entries === 0
    parts.push({ part, entries, from: isEmpty ? null : await momentOf(firstNo), to: isEmpty ? null : await momentOf(lastNo) })
  }
  return parts
}

async function readBalanceAfter(db: Db, key: WalletKey, entryNo: number): Promise<number> {
  if (entryNo === 0) return 0
  const entry = await findEntry(db, key, entryNo)
  if (entry) return entry.balance_after
  const putAway = await findPutAwayEntry(db, key, entryNo)
  if (putAway?.closingNo !== entryNo) throw await whyMissing(db, key, entryNo)
  return putAway.closingBalance
}

type Totals = Pick<Statement, 'count' | 'byKind' | 'byMonth'> & { readonly sum: number }

async function addUp(entries: AsyncIterable<StatementEntry>): Promise<Totals> {
  const kinds = new Map<TransferKind, KindTotal>()
  const months = new Map<string, MonthTotal>()
  let [count, sum] = [0, 0]
  for await (const { at, kind, amount, balanceAfter } of entries) {
    count += 1
    sum += amount
    const ofKind = kinds.get(kind) ?? { kind, count: 0, amount: 0 }
    kinds.set(kind, { kind, count: ofKind.count + 1, amount: ofKind.amount + amount })
    // Accra's time is UTC.
    const month = at.toISOString().slice(0, 7)
    const ofMonth = months.get(month) ?? { month, count: 0, in: 0, out: 0 }
    months.set(month, {
      month,
      count: ofMonth.count + 1,
      in: ofMonth.in + Math.max(0, amount),
      out: ofMonth.out + Math.min(0, amount),
      closing: balanceAfter,
    })
  }
  return { count, sum, byKind: [...kinds.values()], byMonth: [...months.values()] }
}

/**
 * Reads the statement of a purse: its opening balance, each entry with its cause, its closing balance, and the totals. All
 * entries are read once to prove that they add up, before anything is answered; `entries` reads them again. Entries are
 * never changed, so both reads see the same, whatever is sold meanwhile.
 *
 * @throws StatementBrokenError when the entries do not add up to the balance, RefusalError 409 when some are put away
 */
export async function readWalletStatement(db: Db, query: StatementRequest, nameOrders: NameOrders): Promise<Statement> {
  const { accountId, purse, until } = query
  const key = { accountId, purse }
  const from = query.from ?? (await findLastPutAway(db, key))?.monthEnd
  const wallet = await readWallet(db, key)
  const all = await findEntryNumbers(db, key, wallet, query)
  const parts = countParts(all)
  const { firstNo, lastNo } = query.part === undefined ? all : cutPart(all, query.part)
  const part = query.part === undefined || parts === 1 ? undefined : { no: query.part, of: parts }
  const opening = await readBalanceAfter(db, key, firstNo - 1)
  const range: EntryRange = { accountId, purse, firstNo, lastNo, opening }
  // The wallet's own row holds the balance independently of its entries.
  const closing = lastNo === wallet.lastEntryNo ? wallet.balance : await readBalanceAfter(db, key, Math.max(lastNo, firstNo - 1))
  const { sum, ...totals } = await addUp(listEntries(db, range, () => Promise.resolve(new Map())))
  if (opening + sum !== closing)
    throw new StatementBrokenError(`The entries come to ${opening + sum}, but the wallet held ${closing}.`)
  const entries = () => listEntries(db, range, nameOrders)
  return { accountId, purse, from, until, part, opening, closing, ...totals, entries }
}

/** Reads the operator's name and the newest seal of the transfers. */
export async function readHeading(
  db: Db,
  account: Pick<StatementHeading, 'accountName' | 'accountEmail'>,
): Promise<StatementHeading> {
  const [operatorName, heads] = await Promise.all([readSetting(db, operatorNameSetting), readPresentHeads(db)])
  const head = heads.find(({ chain }) => chain === transfersChain.name)
  return { ...account, operatorName, seal: head ? formatHead(head) : null, createdAt: new Date() }
}
