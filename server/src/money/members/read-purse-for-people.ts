import { PassThrough, Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { amountIn, unitOfPurse, viewAmount } from '../amount.ts'
import { operatorNameSetting } from '../money.settings.ts'
import type { AccountPurse } from '../money.tables.ts'
import { ghs, pesewas } from '../pesewas.ts'
import { readWallet } from '../read-wallet.ts'
import { type LedgerPage, type LedgerQuery, listLedger } from '../statement/list-ledger.ts'
import { readWalletStatement } from '../statement/read-wallet-statement.ts'
import type { NameOrders } from '../statement/statement.ts'
import { writeLedgerCsv } from '../statement/write-ledger-csv.ts'
import { writeStatementCsv } from '../statement/write-statement-csv.ts'

export type WalletRouteDeps = { readonly db: Db; readonly nameOrders: NameOrders }

/** Rows of a page. */
const pageEntries = 50
const dayMilliseconds = 24 * 3_600_000

/** What an account's purses hold: GHS, and whole SMS credits. */
export async function readPurses(db: Db, accountId: string) {
  const holds = async (purse: AccountPurse) => (await readWallet(db, { accountId, purse })).balance
  const [main, commission, smsCredits] = await Promise.all([holds('main'), holds('commission'), holds('sms_credits')])
  return { main: ghs(pesewas(main)), commission: ghs(pesewas(commission)), sms_credits: smsCredits }
}

type Filters = Pick<LedgerQuery, 'purse' | 'kind'> & { readonly from?: string; readonly to?: string }

/** The filters of an address as a query. Accra's days are those of UTC. */
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
    entries: entries.map(({ entryNo, at, kind, amount, balanceBefore, balanceAfter, reference, note, order }) => ({
      entry_no: entryNo,
      at: at.toISOString(),
      kind,
      amount: view(amount),
      balance_before: view(balanceBefore),
      balance_after: view(balanceAfter),
      reference,
      note,
      order,
    })),
    next,
  }
}

/** A page of a purse's entries that fit the filters, newest first. */
export async function readLedgerPage(
  { db, nameOrders }: WalletRouteDeps,
  accountId: string,
  { before, ...filters }: Filters & { readonly before?: number },
) {
  const wanted = { ...queryOf(accountId, filters), before, limit: pageEntries }
  return viewLedger(filters.purse, await listLedger(db, wanted, nameOrders))
}

/** All entries that fit the filters, as a table that is written while it is sent. */
export function openLedgerFile({ db, nameOrders }: WalletRouteDeps, accountId: string, filters: Filters): Readable {
  return Readable.from(writeLedgerCsv(db, queryOf(accountId, filters), nameOrders))
}

/** The statement of one month of Accra, proven to add up. */
async function readMonth({ db, nameOrders }: WalletRouteDeps, accountId: string, purse: AccountPurse, month: string) {
  const [year, no] = month.split('-').map(Number)
  const from = new Date(Date.UTC(year ?? 0, (no ?? 1) - 1))
  const until = new Date(Date.UTC(year ?? 0, no ?? 1))
  return readWalletStatement(db, { accountId, purse, from, until }, nameOrders)
}

type MonthWish = { readonly purse: AccountPurse; readonly month: string }
type Holder = { readonly accountId: string; readonly accountName: string; readonly accountEmail: string }

/** The statement of a month, as a table. */
export async function openStatementTable(
  deps: WalletRouteDeps,
  accountId: string,
  { purse, month }: MonthWish,
): Promise<Readable> {
  return Readable.from(writeStatementCsv(await readMonth(deps, accountId, purse, month)))
}

/** The statement of a month as a PDF. If it breaks off half-way the connection is cut, so that the file does not look whole. */
export async function openStatementDocument(
  deps: WalletRouteDeps,
  { accountId, accountName, accountEmail }: Holder,
  { purse, month }: MonthWish,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<Readable> {
  const statement = await readMonth(deps, accountId, purse, month)
  const operatorName = await readSetting(deps.db, operatorNameSetting)
  const { writeStatementPdf } = await import('../statement/write-statement-pdf.ts')
  const out = new PassThrough()
  writeStatementPdf(statement, { operatorName, accountName, accountEmail, createdAt: new Date() }, out).catch(
    (error: unknown) => {
      log.error({ err: error }, 'a statement could not be written')
      out.destroy(error as Error)
    },
  )
  return out
}
