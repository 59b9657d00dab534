import { Readable } from 'node:stream'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError, refusals, refuse } from '../../platform/http/refusals.ts'
import { writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import { amountIn, unitOfPurse, viewAmount } from '../amount.ts'
import type { AccountPurse } from '../money.tables.ts'
import { drawStatement } from '../statement/draw-document.ts'
import { type LedgerPage, type LedgerQuery, listLedger } from '../statement/list-ledger.ts'
import { listStatementParts, readHeading, readWalletStatement } from '../statement/read-wallet-statement.ts'
import type { NameOrders, StatementRequest } from '../statement/statement.ts'
import { cellsOfEntry, entryColumns as columns, writeStatementCsv } from '../statement/write-statement-csv.ts'
import { readPurseBalances } from '../wallets.ts'

/**
 * This many entries are read and written at a time, so that a long list neither fills the memory nor holds up the event loop.
 */
const pieceEntries = 200

/** Writes all entries that match the query as CSV, a piece at a time, newest first. */
async function* writeLedgerCsv(
  db: Db,
  query: Omit<LedgerQuery, 'limit' | 'before'>,
  nameOrders: NameOrders,
): AsyncGenerator<string> {
  yield writeCsvHead(columns)
  let before: number | null | undefined
  while (before !== null) {
    const { entries, next } = await listLedger(db, { ...query, before, limit: pieceEntries }, nameOrders)
    yield writeCsvRows({ columns, rows: entries.map((entry) => cellsOfEntry(query.purse, entry)) })
    before = next
  }
}

export type WalletRouteDeps = { readonly db: Db; readonly nameOrders: NameOrders }

const pageEntries = 50
const dayMilliseconds = 24 * 3_600_000

export async function readPurses(db: Db, accountId: string) {
  const { main, commission, smsCredits } = await readPurseBalances(db, accountId)
  return { mainPesewas: main, commissionPesewas: commission, smsCredits }
}

type Filters = Pick<LedgerQuery, 'purse' | 'kind'> & { readonly from?: string; readonly to?: string }

/** Reads the filters of the page's address. Days are those of Accra, whose time is UTC. */
function queryOf(accountId: string, { purse, kind, from, to }: Filters): Omit<LedgerQuery, 'limit'> {
  return {
    accountId,
    purse,
    kind,
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { until: new Date(Date.parse(to) + dayMilliseconds) }),
  }
}

function viewLedger(purse: AccountPurse, { entries, next }: LedgerPage) {
  const unit = unitOfPurse(purse)
  const view = (amount: number) => viewAmount(amountIn(unit, amount)).amount
  return {
    unit: unit === 'credits' ? ('credits' as const) : ('GHS' as const),
    entries: entries.map((entry) => ({
      ...entry,
      amount: view(entry.amount),
      balanceBefore: view(entry.balanceBefore),
      balanceAfter: view(entry.balanceAfter),
    })),
    next,
  }
}

export async function readLedgerPage(
  { db, nameOrders }: WalletRouteDeps,
  accountId: string,
  { before, ...filters }: Filters & { readonly before?: number },
) {
  const wanted = { ...queryOf(accountId, filters), before, limit: pageEntries }
  return viewLedger(filters.purse, await listLedger(db, wanted, nameOrders))
}

/** The CSV file is written while it is sent. */
export function openLedgerFile({ db, nameOrders }: WalletRouteDeps, accountId: string, filters: Filters): Readable {
  return Readable.from(writeLedgerCsv(db, queryOf(accountId, filters), nameOrders))
}

/** The request for the statement of one month, in Accra's time. */
function statementRequestOf(accountId: string, { purse, month, part }: MonthQuery): StatementRequest {
  const [year, no] = month.split('-').map(Number)
  return {
    accountId,
    purse,
    from: new Date(Date.UTC(year ?? 0, (no ?? 1) - 1)),
    until: new Date(Date.UTC(year ?? 0, no ?? 1)),
    part,
  }
}

type MonthQuery = { readonly purse: AccountPurse; readonly month: string; readonly part?: number }
type Holder = { readonly accountId: string; readonly accountName: string; readonly accountEmail: string }

export async function openStatementTable(deps: WalletRouteDeps, accountId: string, query: MonthQuery): Promise<Readable> {
  return Readable.from(
    writeStatementCsv(await readWalletStatement(deps.db, statementRequestOf(accountId, query), deps.nameOrders)),
  )
}

/** Lists the documents of a month's statement: one, or several where it is long. */
export async function readStatementParts({ db }: WalletRouteDeps, accountId: string, query: MonthQuery) {
  const parts = await listStatementParts(db, statementRequestOf(accountId, query))
  return { entries: parts.reduce((sum, { entries }) => sum + entries, 0), parts }
}

export const statementHasParts = refuse(
  400,
  'statement_has_parts',
  'This statement is too long for one document. Ask for each part of it, or for the table.',
)

/** @throws RefusalError 400 for a whole statement with several parts, and for a part that does not exist */
export async function drawStatementDocument(
  deps: WalletRouteDeps,
  { accountId, accountName, accountEmail }: Holder,
  query: MonthQuery,
): Promise<Readable> {
  const { length: parts } = await listStatementParts(deps.db, statementRequestOf(accountId, query))
  if (parts > 1 && query.part === undefined) throw new RefusalError(statementHasParts)
  const { part = 1 } = query
  if (part > parts) throw new RefusalError(refusals.invalidRequest(`This statement has ${parts} part${parts === 1 ? '' : 's'}.`))
  const statement = await readWalletStatement(deps.db, statementRequestOf(accountId, { ...query, part }), deps.nameOrders)
  return drawStatement(statement, await readHeading(deps.db, { accountName, accountEmail }))
}

export const statementFileName = ({ purse, month, part }: MonthQuery) =>
  `statement-${purse}-${month}${part === undefined ? '' : `-part-${part}`}.pdf`
