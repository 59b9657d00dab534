import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { countThirdPartyWait } from '../../platform/http/limits/third-party-limits.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { readWallet } from '../wallets.ts'
import { listPictured, listTopUps } from './list-top-ups.ts'
import { makeTopUp, readTopUpsToday } from './make-top-up.ts'
import type { Gateways } from './payment-gateway.ts'
import { findLastPhone, readTopUp, type TopUpRow } from './read-top-up.ts'
import { recordReportedTransfer } from './record-reported-transfer.ts'
import { registerTopUpFileRoutes } from './top-up-files.member.routes.ts'
import { topUpRefusals } from './top-ups.refusals.ts'
import {
  MakeTopUpBody,
  NoteTransferBody,
  QuoteQuery,
  TopUp,
  TopUpList,
  TopUpListQuery,
  TopUpPath,
  TopUpQuoteView,
  TopUpWays,
} from './top-ups.schemas.ts'
import { readTopUpTerms, transferInstructions } from './top-ups.settings.ts'
import { viewTopUp } from './view-top-up.ts'

export type TopUpDeps = {
  readonly db: Db
  readonly settings: Settings
  readonly gateways: Gateways
}

const tags = ['Top-up']

async function viewOne(db: Db, row: TopUpRow) {
  return viewTopUp(row, row.way === 'transfer' && (await listPictured(db, [row.id])).has(row.id))
}

async function readOwn(db: Db, id: string, accountId: string): Promise<TopUpRow> {
  const row = await readTopUp(db, id, accountId)
  if (!row) throw new RefusalError(topUpRefusals.notFound)
  return row
}

function registerTermsRoutes(app: Api, { db, settings, gateways }: TopUpDeps): void {
  app.get(
    '/top-ups/ways',
    {
      config: { permission: 'look' },
      schema: { operationId: 'listTopUpWays', tags, summary: 'How money can be paid in', response: { 200: Envelope(TopUpWays) } },
    },
    async ({ person, membership: { accountId } }) => {
      const [terms, instructions, offered, lastPhone] = await Promise.all([
        readTopUpTerms(settings),
        settings.read(transferInstructions),
        gateways.offer(),
        findLastPhone(db, accountId, person.email),
      ])
      const today = await inTransaction(db, (tx) => readTopUpsToday(tx, accountId))
      const wallet = await readWallet(db, { accountId, purse: 'main' })
      return ok({
        ways: offered.map(({ name, title, kind }) => ({ way: name, title, kind })),
        smallestPesewas: terms.smallest,
        largestPesewas: terms.largest,
        leftTodayPesewas: Math.max(0, terms.dailyLimit - today.amount),
        transferInstructions: instructions.trim() === '' ? null : instructions,
        balancePesewas: wallet.balance,
        lastPhone,
      })
    },
  )
  app.get(
    '/top-ups/quote',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'quoteTopUp',
        tags,
        summary: 'What a top-up through a gateway costs its payer',
        querystring: QuoteQuery,
        response: { 200: Envelope(TopUpQuoteView) },
      },
    },
    async ({ query }) => {
      const terms = await readTopUpTerms(settings)
      const { amount, fee, charged } = terms.quote(query.amountPesewas)
      return ok({ amountPesewas: amount, feePesewas: fee, chargedPesewas: charged, feeIsPaidBy: terms.feeIsPaidBy })
    },
  )
}

/**
 * Opens the payment of a new top-up. When the page repeats a top-up, the payer is asked on the phone again only if nothing
 * shows that the first request reached the gateway. If the first request did reach it, the gateway takes both for one.
 *
 * @returns false when the payer cannot pay it
 */
async function openIfNeeded(
  { db, gateways }: TopUpDeps,
  topUp: TopUpRow,
  { email, isNew }: { readonly email: string; readonly isNew: boolean },
): Promise<boolean> {
  if (isNew) return gateways.open(topUp.id, { email, isAgain: false })
  if (topUp.payer_phone === null || topUp.state !== 'pending' || topUp.said === 'in_progress') return true
  const counted = { recipient: topUp.payer_phone, account: topUp.account_id }
  if ((await countThirdPartyWait(db, 'paymentPrompt', counted)) > 0) return true
  return gateways.open(topUp.id, { email, isAgain: true })
}

function registerMakingRoutes(app: Api, deps: TopUpDeps): void {
  const { db, settings, gateways } = deps
  app.post(
    '/top-ups',
    {
      config: { permission: 'top_up', refusals: [409, 429, 503] },
      schema: {
        operationId: 'makeTopUp',
        tags,
        summary: 'Begin a top-up through a gateway',
        description:
          'The answer has the address of the gateway’s page, where the payer goes next. A gateway of the kind `prompt` has none: it asks on the phone.',
        body: MakeTopUpBody,
        response: { 200: Envelope(TopUp) },
      },
    },
    async ({ body, person, membership: { accountId } }) => {
      const { reference, way, amountPesewas, feePesewas, phone } = body
      const gateway = (await gateways.offer()).find(({ name }) => name === way)
      if (!gateway) throw new RefusalError(topUpRefusals.wayClosed)
      const isPrompt = gateway.kind === 'prompt'
      if (isPrompt && phone === undefined) throw new RefusalError(topUpRefusals.phoneNeeded)
      const terms = await readTopUpTerms(settings)
      const asked = {
        accountId,
        pageReference: reference,
        way,
        payerPhone: isPrompt ? phone : undefined,
        amount: amountPesewas,
        fee: feePesewas,
        madeBy: person.email,
      }
      const { topUpId, isNew } = await inTransaction(db, (tx) => makeTopUp(tx, asked, terms))
      // The top-up is committed before the call to the gateway, and no transaction is open during the call.
      const isOpen = await openIfNeeded(deps, await readOwn(db, topUpId, accountId), { email: person.email, isNew })
      const row = await readOwn(db, topUpId, accountId)
      if (isPrompt && !isOpen) throw new RefusalError(topUpRefusals.notAsked)
      if (!isPrompt && row.state === 'failed' && row.payment_url === null) throw new RefusalError(topUpRefusals.notOpened)
      return ok(await viewOne(db, row))
    },
  )
}

function registerTransferRoute(app: Api, { db, settings }: TopUpDeps): void {
  app.post(
    '/top-ups/transfers',
    {
      config: { permission: 'top_up', refusals: [409, 503] },
      schema: {
        operationId: 'noteTransfer',
        tags,
        summary: 'Note a transfer that you have made, for the operator to confirm',
        body: NoteTransferBody,
        response: { 200: Envelope(TopUp) },
      },
    },
    async ({ body, person, membership: { accountId } }) => {
      if ((await settings.read(transferInstructions)).trim() === '') throw new RefusalError(topUpRefusals.wayClosed)
      const asked = {
        accountId,
        pageReference: body.reference,
        amount: body.amountPesewas,
        transferReference: body.transferReference.trim(),
        note: body.note?.trim() === '' ? undefined : body.note?.trim(),
        madeBy: person.email,
      }
      const row = await inTransaction(db, (tx) => recordReportedTransfer(tx, asked))
      return ok(await viewOne(db, row))
    },
  )
}

function registerReadingRoutes(app: Api, { db }: TopUpDeps): void {
  app.get(
    '/top-ups',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listTopUps',
        tags,
        summary: 'List the top-ups, newest first',
        querystring: TopUpListQuery,
        response: { 200: Envelope(TopUpList) },
      },
    },
    async ({ query: { state, after, limit }, membership: { accountId } }) => {
      const { topUps, next } = await listTopUps(db, { accountId, states: state && [state], after, limit })
      const pictured = await listPictured(
        db,
        topUps.map(({ id }) => id),
      )
      return ok({ topUps: topUps.map((row) => viewTopUp(row, pictured.has(row.id))), next })
    },
  )
  app.get(
    '/top-ups/:top_up_id',
    {
      config: { permission: 'look', refusals: [404] },
      schema: {
        operationId: 'readTopUp',
        tags,
        summary: 'Read a top-up',
        params: TopUpPath,
        response: { 200: Envelope(TopUp) },
      },
    },
    async ({ params, membership: { accountId } }) => ok(await viewOne(db, await readOwn(db, params.topUpId, accountId))),
  )
}

function registerVerifyRoute(app: Api, { db, gateways }: TopUpDeps): void {
  app.post(
    '/top-ups/:top_up_id/verify',
    {
      config: { permission: 'look', refusals: [404] },
      schema: {
        operationId: 'verifyTopUp',
        tags,
        summary: 'Ask the gateway what became of a top-up',
        description: 'The page to which the gateway sends the payer back asks this until the outcome is known.',
        params: TopUpPath,
        response: { 200: Envelope(TopUp) },
      },
    },
    async ({ params, membership: { accountId } }) => {
      const row = await readOwn(db, params.topUpId, accountId)
      if (row.way !== 'transfer') await gateways.verify(row.id)
      return ok(await viewOne(db, await readOwn(db, row.id, accountId)))
    },
  )
}

export function registerTopUpRoutes(app: Api, deps: TopUpDeps): void {
  registerTermsRoutes(app, deps)
  registerMakingRoutes(app, deps)
  registerTransferRoute(app, deps)
  registerReadingRoutes(app, deps)
  registerVerifyRoute(app, deps)
  registerTopUpFileRoutes(app, deps)
}
