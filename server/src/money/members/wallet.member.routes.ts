import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals, refuse } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { type Pesewas, pesewasFromGhs } from '../pesewas.ts'
import { entriesPutAway } from '../statement/put-away-entries.ts'
import { moveCommission } from '../transfer-commission.ts'
import {
  drawStatementDocument,
  openLedgerFile,
  openStatementTable,
  readLedgerPage,
  readPurses,
  readStatementParts,
  statementFileName,
  statementHasParts,
  type WalletRouteDeps,
} from './read-purse-for-people.ts'
import {
  CommissionTransferBody,
  CommissionTransferred,
  LedgerFilters,
  LedgerListQuery,
  LedgerPageView,
  StatementDocumentQuery,
  StatementParts,
  StatementQuery,
  WalletNow,
} from './wallet-member.schemas.ts'

const notEnoughCommission = refuse(400, 'not_enough_commission', 'The Commission Wallet holds less than that. Nothing was moved.')

type WalletMemberDeps = WalletRouteDeps & {
  /** Reads the commission that the account gets when its open orders are delivered. */
  readonly readPendingCommission: (db: Db, accountId: string) => Promise<Pesewas>
  /** Exported files and statements are read from this database, which may be the replica. */
  readonly readDb: Db
}

function registerLedger(api: Api, deps: WalletMemberDeps): void {
  api.get(
    '/wallet',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readPurses',
        tags: ['Wallet'],
        summary: 'What the purses hold',
        response: { 200: Envelope(WalletNow) },
      },
    },
    async ({ membership: { accountId } }) => {
      const [purses, pendingCommissionPesewas] = await Promise.all([
        readPurses(deps.db, accountId),
        deps.readPendingCommission(deps.db, accountId),
      ])
      return ok({ ...purses, pendingCommissionPesewas })
    },
  )
  api.get(
    '/wallet/entries',
    {
      config: { permission: 'look', refusals: [entriesPutAway] },
      schema: {
        operationId: 'listEntries',
        tags: ['Wallet'],
        summary: 'List the entries of a purse, newest first',
        querystring: LedgerListQuery,
        response: { 200: Envelope(LedgerPageView) },
      },
    },
    async ({ membership, query }) => ok(await readLedgerPage(deps, membership.accountId, query)),
  )
  api.get(
    '/wallet/entries.csv',
    {
      config: { exportedAs: 'entries export', permission: 'look', refusals: [entriesPutAway] },
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
        .send(openLedgerFile({ ...deps, db: deps.readDb }, membership.accountId, query)),
  )
}

function registerStatements(api: Api, deps: WalletRouteDeps): void {
  api.get(
    '/wallet/statement',
    {
      config: { permission: 'look', refusals: [entriesPutAway] },
      schema: {
        operationId: 'listStatementParts',
        tags: ['Wallet'],
        summary: 'The documents in which the statement of a month comes',
        description: 'One, or several where the month has many entries.',
        querystring: StatementQuery,
        response: { 200: Envelope(StatementParts) },
      },
    },
    async ({ membership, query }) => ok(await readStatementParts(deps, membership.accountId, query)),
  )
  api.get(
    '/wallet/statement.pdf',
    {
      config: { exportedAs: 'statement export', permission: 'look', refusals: [entriesPutAway, statementHasParts] },
      schema: {
        operationId: 'readStatementPdf',
        tags: ['Wallet'],
        summary: 'The statement of a month, or a part of it, as a document',
        querystring: StatementDocumentQuery,
        response: { 200: FileOf('application/pdf') },
      },
    },
    async ({ membership, query }, reply) =>
      reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${statementFileName(query)}"`)
        .send(await drawStatementDocument(deps, membership, query)),
  )
  api.get(
    '/wallet/statement.csv',
    {
      config: { exportedAs: 'statement export', permission: 'look', refusals: [entriesPutAway] },
      schema: {
        operationId: 'readStatementCsv',
        tags: ['Wallet'],
        summary: 'The statement of a month, as a table',
        querystring: StatementQuery,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ membership, query }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="statement-${query.purse}-${query.month}.csv"`)
        .send(await openStatementTable(deps, membership.accountId, query)),
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
      const { moved: transferredPesewas, commission: commissionPesewas, main: balancePesewas } = result
      return ok({ transferredPesewas, commissionPesewas, balancePesewas })
    },
  )
}

export function registerWalletMemberRoutes(api: Api, deps: WalletMemberDeps): void {
  registerLedger(api, deps)
  registerStatements(api, { ...deps, db: deps.readDb })
  registerCommissionTransfer(api, deps)
}
