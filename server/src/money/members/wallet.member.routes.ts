import { PassThrough, Readable } from 'node:stream'
import type { Db } from '../../platform/database/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals, refuse } from '../../platform/http/refusals.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { amountIn, unitOfPurse, viewAmount } from '../amount.ts'
import { operatorNameSetting } from '../money.settings.ts'
import type { AccountPurse } from '../money.tables.ts'
import { ghs, pesewas, pesewasFromGhs } from '../pesewas.ts'
import { readWallet } from '../read-wallet.ts'
import { type LedgerPage, type LedgerQuery, listLedger } from '../statement/list-ledger.ts'
import { readWalletStatement } from '../statement/read-wallet-statement.ts'
import type { NameOrders } from '../statement/statement.ts'
import { writeLedgerCsv } from '../statement/write-ledger-csv.ts'
import { writeStatementCsv } from '../statement/write-statement-csv.ts'
import { moveCommission } from '../transfer-commission.ts'
import {
  CommissionTransferBody,
  CommissionTransferred,
  LedgerFilters,
  LedgerListQuery,
  LedgerPageView,
  Purses,
  StatementQuery,
} from './wallet-member.schemas.ts'

export type WalletRouteDeps = { readonly db: Db; readonly nameOrders: NameOrders }

/** Rows of a page. */
const pageEntries = 50
const dayMilliseconds = 24 * 3_600_000

const notEnoughCommission = refuse(400, 'not_enough_commission', 'The Commission Wallet holds less than that. Nothing was moved.')

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

function registerLedger(api: Api, { db, nameOrders }: WalletRouteDeps): void {
  api.get(
    '/wallet',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readPurses',
        tags: ['Wallet'],
        summary: 'What the purses hold',
        response: { 200: Envelope(Purses) },
      },
    },
    async ({ membership }) => ok(await readPurses(db, membership.accountId)),
  )
  api.get(
    '/wallet/entries',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listEntries',
        tags: ['Wallet'],
        summary: 'List the entries of a purse, newest first',
        querystring: LedgerListQuery,
        response: { 200: Envelope(LedgerPageView) },
      },
    },
    async ({ membership, query: { before, ...filters } }) => {
      const wanted = { ...queryOf(membership.accountId, filters), before, limit: pageEntries }
      return ok(viewLedger(filters.purse, await listLedger(db, wanted, nameOrders)))
    },
  )
  api.get(
    '/wallet/entries.csv',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'exportEntries',
        tags: ['Wallet'],
        summary: 'All entries that fit the filters, as a file',
        querystring: LedgerFilters,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ membership, query }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${query.purse}-entries.csv"`)
        .send(Readable.from(writeLedgerCsv(db, queryOf(membership.accountId, query), nameOrders))),
  )
}

/** The statement of one month of Accra, proven to add up. */
async function readMonth({ db, nameOrders }: WalletRouteDeps, accountId: string, purse: AccountPurse, month: string) {
  const [year, no] = month.split('-').map(Number)
  const from = new Date(Date.UTC(year ?? 0, (no ?? 1) - 1))
  const until = new Date(Date.UTC(year ?? 0, no ?? 1))
  return readWalletStatement(db, { accountId, purse, from, until }, nameOrders)
}

function registerStatements(api: Api, deps: WalletRouteDeps): void {
  api.get(
    '/wallet/statement.pdf',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readStatementPdf',
        tags: ['Wallet'],
        summary: 'The statement of a month, as a document',
        querystring: StatementQuery,
        response: { 200: FileOf('application/pdf') },
      },
    },
    async ({ membership, query, log }, reply) => {
      const { accountId, accountName, accountEmail } = membership
      const statement = await readMonth(deps, accountId, query.purse, query.month)
      const operatorName = await readSetting(deps.db, operatorNameSetting)
      const { writeStatementPdf } = await import('../statement/write-statement-pdf.ts')
      const out = new PassThrough()
      // A statement that breaks off half-way must not look whole: the connection is cut.
      writeStatementPdf(statement, { operatorName, accountName, accountEmail, createdAt: new Date() }, out).catch(
        (error: unknown) => {
          log.error({ err: error }, 'a statement could not be written')
          out.destroy(error as Error)
        },
      )
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="statement-${query.purse}-${query.month}.pdf"`)
        .send(out)
    },
  )
  api.get(
    '/wallet/statement.csv',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readStatementCsv',
        tags: ['Wallet'],
        summary: 'The statement of a month, as a table',
        querystring: StatementQuery,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ membership, query }, reply) => {
      const statement = await readMonth(deps, membership.accountId, query.purse, query.month)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="statement-${query.purse}-${query.month}.csv"`)
        .send(Readable.from(writeStatementCsv(statement)))
    },
  )
}

function registerCommissionTransfer(api: Api, { db }: WalletRouteDeps): void {
  api.post(
    '/wallet/commission-transfers',
    {
      config: { permission: 'move_money', refusals: [notEnoughCommission, refusals.referenceTaken] },
      schema: {
        operationId: 'transferCommission',
        tags: ['Wallet'],
        summary: 'Move commission to the main wallet',
        description: 'Exactly once per reference: a repeat moves nothing and answers what was moved.',
        body: CommissionTransferBody,
        response: { 200: Envelope(CommissionTransferred) },
      },
    },
    async ({ membership, person, body }) => {
      const { accountId } = membership
      const amount = pesewasFromGhs(body.amount)
      if (amount === undefined) throw new RefusalError(notEnoughCommission)
      const result = await moveCommission(db, { accountId, amount, externalId: body.reference, actor: person.email })
      if (result.state === 'refused') {
        throw new RefusalError(result.why === 'not_enough' ? notEnoughCommission : refusals.referenceTaken)
      }
      const [moved, commission, main] = [pesewas(result.moved), pesewas(result.commission), pesewas(result.main)]
      return ok({ transferred: ghs(moved), commission: ghs(commission), balance: ghs(main) })
    },
  )
}

/** An account's purses, for its people. */
export function registerWalletMemberRoutes(api: Api, deps: WalletRouteDeps): void {
  registerLedger(api, deps)
  registerStatements(api, deps)
  registerCommissionTransfer(api, deps)
}
