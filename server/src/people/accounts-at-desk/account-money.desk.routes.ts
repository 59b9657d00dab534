import { amountIn, unitOfPurse, viewAmount } from '../../money/amount.ts'
import { correctWallet } from '../../money/by-people/correct-wallet.ts'
import { creditByPeople } from '../../money/by-people/credit-by-people.ts'
import { listCredits, listWaitingProposals } from '../../money/by-people/list-credits.ts'
import type { CreditedPurse } from '../../money/by-people/wallet-kinds.ts'
import { openLedgerFile, readLedgerPage } from '../../money/members/read-purse-for-people.ts'
import {
  CommissionTransferBody,
  CommissionTransferred,
  LedgerFilters,
  LedgerListQuery,
  LedgerPageView,
} from '../../money/members/wallet-member.schemas.ts'
import { pesewasFromGhs } from '../../money/pesewas.ts'
import { readWallet } from '../../money/read-wallet.ts'
import { moveCommission } from '../../money/transfer-commission.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals, refuse } from '../../platform/http/refusals.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { AccountCredits, AccountPath, CorrectionBody, CreditBody, PeoplesOutcome } from './account-desk.schemas.ts'
import { registerAccountStatements } from './account-statements.desk.routes.ts'
import { type AccountDeskDeps, accountNotFound, mustFindAccount } from './read-account-in-full.ts'

const tags = ['Accounts']
const creditsShown = 50

const stateOf = { done: 'done', pending: 'proposed', same_waits: 'same_waits' } as const

const inUnit = (purse: CreditedPurse, amount: number) => viewAmount(amountIn(unitOfPurse(purse), amount)).amount

/** Reads an amount of the body as pesewas, or as SMS credits. @throws RefusalError for a fraction of a pesewa or of a credit */
function amountOf({ purse, amount }: { readonly purse: CreditedPurse; readonly amount: number }): number {
  const kept = purse === 'main' ? pesewasFromGhs(amount) : amount
  if (kept === undefined || !Number.isSafeInteger(kept)) {
    throw new RefusalError(refusals.invalidRequest('SMS credits are whole numbers, and GHS have at most 2 decimals.'))
  }
  return kept
}

function registerEntries(desk: Api, deps: AccountDeskDeps): void {
  desk.get(
    '/accounts/:account_id/entries',
    {
      config: { permission: 'see', refusals: [accountNotFound] },
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
      await mustFindAccount(deps.db, params.account_id)
      return ok(await readLedgerPage(deps, params.account_id, query))
    },
  )
  desk.get(
    '/accounts/:account_id/entries.csv',
    {
      config: { exportedAs: 'entries export', permission: 'see', refusals: [accountNotFound] },
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
      await mustFindAccount(deps.db, params.account_id)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${query.purse}-entries.csv"`)
        .send(openLedgerFile(deps, params.account_id, query))
    },
  )
}

function registerCreditList(desk: Api, { db }: AccountDeskDeps): void {
  desk.get(
    '/accounts/:account_id/credits',
    {
      config: { permission: 'see', refusals: [accountNotFound] },
      schema: {
        operationId: 'deskListCredits',
        tags,
        summary: 'What people credited to an account, and what waits for a second person',
        params: AccountPath,
        response: { 200: Envelope(AccountCredits) },
      },
    },
    async ({ params: { account_id: accountId } }) => {
      await mustFindAccount(db, accountId)
      const [credits, waiting] = await Promise.all([
        listCredits(db, accountId, creditsShown),
        listWaitingProposals(db, accountId),
      ])
      return ok({
        credits: credits.map(({ purse, ...credit }) => ({
          credit_id: credit.creditId,
          purse,
          amount: inUnit(purse, credit.amount),
          left: inUnit(purse, credit.amount - credit.corrected),
          reference: credit.externalId,
          note: credit.note,
          by: credit.actor,
          at: credit.createdAt.toISOString(),
        })),
        waiting: waiting.map((proposal) => ({
          approval_id: proposal.approvalId,
          what: proposal.what,
          reason: proposal.reason,
          before: proposal.before,
          after: proposal.after,
          proposed_by: proposal.proposedBy,
          at: proposal.createdAt.toISOString(),
          expires_at: proposal.expiresAt.toISOString(),
        })),
      })
    },
  )
}

function registerCredit(desk: Api, { db }: AccountDeskDeps): void {
  desk.post(
    '/accounts/:account_id/credits',
    {
      config: { permission: 'manage_money', isConfirmationNeeded: true, refusals: [accountNotFound, 409] },
      schema: {
        operationId: 'deskCreditAccount',
        tags,
        summary: 'Credit money or SMS credits to an account',
        description:
          'Exactly once per reference, and once per number of a receipt and way. Above what one person may credit within 24 hours it waits for a second one.',
        params: AccountPath,
        body: CreditBody,
        response: { 200: Envelope(PeoplesOutcome) },
      },
    },
    async ({ params, body, staff: { person } }) => {
      const { accountId } = await mustFindAccount(db, params.account_id)
      const { purse, way, number, reference: pageReference, note } = body
      const receipt = { way, number, pageReference }
      const amount = amountOf(body)
      const outcome = await inTransaction(db, async (tx) => {
        const isLive = await isLiveDatabase(tx)
        return creditByPeople(tx, { accountId, purse, amount, receipt, note: note.trim(), person, isLive })
      })
      const balance = inUnit(purse, outcome.balance)
      if (outcome.state === 'credited') {
        return ok({
          state: outcome.isReplay ? ('done_before' as const) : ('done' as const),
          approval_id: null,
          why: null,
          balance,
        })
      }
      return ok({ state: stateOf[outcome.status], approval_id: outcome.approvalId, why: outcome.why ?? null, balance })
    },
  )
}

function registerCorrection(desk: Api, { db }: AccountDeskDeps): void {
  desk.post(
    '/accounts/:account_id/corrections',
    {
      config: { permission: 'manage_money', isConfirmationNeeded: true, refusals: [accountNotFound, 409] },
      schema: {
        operationId: 'deskCorrectAccount',
        tags,
        summary: 'Propose to take money or SMS credits back from an account',
        description:
          'It always takes two people. The same reference proposes once, also after it was decided; one that is equal to a proposal that waits is asked about (`same_waits`).',
        params: AccountPath,
        body: CorrectionBody,
        response: { 200: Envelope(PeoplesOutcome) },
      },
    },
    async ({ params, body, staff: { person } }) => {
      const { accountId } = await mustFindAccount(db, params.account_id)
      const { purse, credit_id: of, reason, reference, is_another: isAnother } = body
      const correction = { accountId, purse, amount: amountOf(body), of, reason: reason.trim(), person, reference, isAnother }
      const { approvalId, status } = await inTransaction(db, (tx) => correctWallet(tx, correction))
      const { balance } = await readWallet(db, { accountId, purse })
      return ok({ state: stateOf[status], approval_id: approvalId, why: null, balance: inUnit(purse, balance) })
    },
  )
}

const notEnough = refuse(409, 'not_possible', 'The commission wallet holds less than that. Nothing was moved.')

function registerCommissionMove(desk: Api, { db }: AccountDeskDeps): void {
  desk.post(
    '/accounts/:account_id/commission-transfers',
    {
      config: { permission: 'manage_money', isConfirmationNeeded: true, refusals: [accountNotFound, refusals.referenceTaken] },
      schema: {
        operationId: 'deskTransferCommission',
        tags,
        summary: 'Move an account’s commission to its main wallet',
        description: 'Exactly once per reference: a repeat moves nothing and answers what was moved.',
        params: AccountPath,
        body: CommissionTransferBody,
        response: { 200: Envelope(CommissionTransferred) },
      },
    },
    async ({ params, body, staff: { actor } }) => {
      const { accountId } = await mustFindAccount(db, params.account_id)
      const amount = amountOf({ purse: 'main', amount: body.amount })
      const result = await moveCommission(db, { accountId, amount, externalId: body.reference, actor })
      if (result.state === 'refused') throw new RefusalError(result.why === 'not_enough' ? notEnough : refusals.referenceTaken)
      const inGhs = (pesewas: number) => inUnit('main', pesewas)
      return ok({
        transferred: inGhs(result.moved),
        commission: inGhs(result.commission),
        balance: inGhs(result.main),
      })
    },
  )
}

export function registerAccountMoneyDeskRoutes(desk: Api, deps: AccountDeskDeps): void {
  registerEntries(desk, deps)
  registerAccountStatements(desk, deps)
  registerCreditList(desk, deps)
  registerCredit(desk, deps)
  registerCorrection(desk, deps)
  registerCommissionMove(desk, deps)
}
