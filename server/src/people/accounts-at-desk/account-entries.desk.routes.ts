import { openLedgerFile, readLedgerPage, type WalletRouteDeps } from '../../money/members/read-purse-for-people.ts'
import { LedgerFilters, LedgerListQuery, LedgerPageView } from '../../money/members/wallet-member.schemas.ts'
import { entriesPutAway } from '../../money/statement/put-away-entries.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { AccountPath } from './account-desk.schemas.ts'
import { registerAccountStatements } from './account-statements.desk.routes.ts'
import { accountNotFound, mustFindAccount } from './read-account-in-full.ts'

const tags = ['Accounts']
export function registerAccountEntriesDeskRoutes(desk: Api, deps: WalletRouteDeps): void {
  desk.get(
    '/accounts/:account_id/entries',
    {
      config: { permission: 'see', refusals: [accountNotFound, entriesPutAway] },
      schema: {
        operationId: 'deskListAccountEntries',
        tags,
        summary: 'List the entries of an account’s purse, newest first',
        params: AccountPath,
        querystring: LedgerListQuery,
        response: { 200: Envelope(LedgerPageView) },
      },
    },
    async ({ params, query }) => {
      await mustFindAccount(deps.db, params.accountId)
      return ok(await readLedgerPage(deps, params.accountId, query))
    },
  )
  desk.get(
    '/accounts/:account_id/entries.csv',
    {
      config: { exportedAs: 'entries export', permission: 'see', refusals: [accountNotFound, entriesPutAway] },
      schema: {
        operationId: 'deskExportAccountEntries',
        tags,
        summary: 'All entries that fit the filters, as a file',
        params: AccountPath,
        querystring: LedgerFilters,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ params, query }, reply) => {
      await mustFindAccount(deps.db, params.accountId)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${query.purse}-entries.csv"`)
        .send(openLedgerFile(deps, params.accountId, query))
    },
  )
  registerAccountStatements(desk, deps)
}
