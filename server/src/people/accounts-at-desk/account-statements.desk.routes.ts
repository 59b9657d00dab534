import {
  drawStatementDocument,
  openStatementTable,
  readStatementParts,
  statementFileName,
  statementHasParts,
  type WalletRouteDeps,
} from '../../money/members/read-purse-for-people.ts'
import { StatementDocumentQuery, StatementParts, StatementQuery } from '../../money/members/wallet-member.schemas.ts'
import { entriesPutAway } from '../../money/statement/put-away-entries.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { AccountPath } from './account-desk.schemas.ts'
import { accountNotFound, mustFindAccount } from './read-account-in-full.ts'

const tags = ['Accounts']

function registerParts(desk: Api, deps: WalletRouteDeps): void {
  desk.get(
    '/accounts/:account_id/statement',
    {
      config: { permission: 'see', refusals: [accountNotFound, entriesPutAway] },
      schema: {
        operationId: 'deskListStatementParts',
        tags,
        summary: 'The documents in which the statement of a purse and a month comes',
        params: AccountPath,
        querystring: StatementQuery,
        response: { 200: Envelope(StatementParts) },
      },
    },
    async ({ params, query }) => {
      await mustFindAccount(deps.db, params.accountId)
      return ok(await readStatementParts(deps, params.accountId, query))
    },
  )
}

function registerFiles(desk: Api, deps: WalletRouteDeps): void {
  desk.get(
    '/accounts/:account_id/statement.pdf',
    {
      config: {
        exportedAs: 'statement export',
        permission: 'see',
        refusals: [accountNotFound, entriesPutAway, statementHasParts],
      },
      schema: {
        operationId: 'deskReadStatementPdf',
        tags,
        summary: 'The statement of a purse and a month, as the reseller gets it',
        params: AccountPath,
        querystring: StatementDocumentQuery,
        response: { 200: FileOf('application/pdf') },
      },
    },
    async ({ params, query }, reply) => {
      const { accountId, name: accountName, email: accountEmail } = await mustFindAccount(deps.db, params.accountId)
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${statementFileName(query)}"`)
        .send(await drawStatementDocument(deps, { accountId, accountName, accountEmail }, query))
    },
  )
  desk.get(
    '/accounts/:account_id/statement.csv',
    {
      config: { exportedAs: 'statement export', permission: 'see', refusals: [accountNotFound, entriesPutAway] },
      schema: {
        operationId: 'deskReadStatementCsv',
        tags,
        summary: 'The statement of a purse and a month, as a table',
        params: AccountPath,
        querystring: StatementQuery,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ params, query }, reply) => {
      await mustFindAccount(deps.db, params.accountId)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="statement-${query.purse}-${query.month}.csv"`)
        .send(await openStatementTable(deps, params.accountId, query))
    },
  )
}

export function registerAccountStatements(desk: Api, deps: WalletRouteDeps): void {
  registerParts(desk, deps)
  registerFiles(desk, deps)
}
