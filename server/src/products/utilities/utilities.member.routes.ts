import Type from 'typebox'
import { ghs, pesewas } from '../../money/pesewas.ts'
import { readWallet } from '../../money/wallets.ts'
import { sameOrderField, walletAfterFields } from '../../orders/checking/check-lines.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { checkBill } from './check-bill.ts'
import { listBillers } from './list-billers.ts'
import { type LookupDeps, lookUpBillAccount, lookupWork } from './look-up-bill-account.ts'
import { type PayDeps, payBill } from './pay-bill.ts'
import { billRefusals } from './utilities.refusals.ts'
import { BillerList, UtilityLookup, UtilityLookupQuery, UtilityPayBody, UtilityPayment } from './utilities.schemas.ts'
import { billsSwitchedOff } from './utilities.settings.ts'
import { dropUnaskedPhone, viewPayment } from './view-payment.ts'

const BillShop = Type.Object(
  { ...BillerList.properties, balance: Type.Number({ description: 'The wallet now, in GHS.' }) },
  { title: 'BillShop' },
)

const CheckedBill = Type.Object(
  { total: Type.Number({ description: 'What it costs, in GHS.' }), ...walletAfterFields, ...sameOrderField },
  { title: 'CheckedBill' },
)

type BillMemberDeps = LookupDeps & PayDeps & { readonly epoch: Epoch }

export function registerUtilitiesMemberRoutes(app: Api, deps: BillMemberDeps): void {
  app.get(
    '/bills',
    {
      config: { permission: 'buy' },
      schema: {
        operationId: 'readBillShop',
        tags: ['Buy'],
        summary: 'The billers and the bounds of a payment',
        response: { 200: Envelope(BillShop) },
      },
    },
    async ({ purchaser }) => {
      const [wallet, billers] = await Promise.all([
        readWallet(deps.db, { accountId: purchaser.accountId, purse: 'main' }),
        listBillers(deps),
      ])
      return ok({ ...billers, balance: ghs(pesewas(wallet.balance)) })
    },
  )
  app.get(
    '/bills/account',
    {
      config: {
        permission: 'buy',
        limit: { name: 'GET /app/api/bills/account', perMinute: 20 },
        longWork: lookupWork,
        refusals: [billRefusals.billAccountNotFound, billRefusals.billerUnreachable, billsSwitchedOff],
      },
      schema: {
        operationId: 'lookUpBill',
        tags: ['Buy'],
        summary: 'Whose account, meter or smartcard it is, and what is due',
        description: 'As `GET /api/v2/utilities/lookup`.',
        querystring: UtilityLookupQuery,
        response: { 200: Envelope(UtilityLookup) },
      },
    },
    async ({ purchaser, query }) => ok(await lookUpBillAccount(deps, purchaser, query)),
  )
  registerPayment(app, deps)
}

function registerPayment(app: Api, deps: BillMemberDeps): void {
  app.post(
    '/bills/check',
    {
      config: {
        changesNothing: true,
        permission: 'buy',
        limit: { name: 'POST /app/api/bills/check', perMinute: 120 },
        refusals: [400, billsSwitchedOff],
      },
      preValidation: (request) => dropUnaskedPhone(deps.billers, request.body),
      schema: {
        operationId: 'checkBill',
        tags: ['Buy'],
        summary: 'What would be left after a bill, and what it earns',
        description: 'Moves no money and asks no supplier.',
        body: UtilityPayBody,
        response: { 200: Envelope(CheckedBill) },
      },
    },
    async ({ purchaser, body }) => ok(await checkBill(deps, purchaser, body)),
  )
  app.post(
    '/bills/pay',
    {
      config: {
        permission: 'buy',
        limit: { name: 'POST /app/api/bills/pay', perMinute: 30 },
        refusals: [400, billRefusals.duplicatePayment(30), billsSwitchedOff],
      },
      // An invalid body may still have the reference of an earlier order: see `payBill`.
      attachValidation: true,
      preValidation: (request) => dropUnaskedPhone(deps.billers, request.body),
      schema: {
        operationId: 'payBill',
        tags: ['Buy'],
        summary: 'Pay a bill',
        description: 'As `POST /api/v2/utilities/pay`.',
        body: UtilityPayBody,
        response: { 200: Envelope(UtilityPayment) },
      },
    },
    async (request, reply) => {
      const paid = await payBill(deps, request.purchaser, request.body, request.validationError)
      if (paid.isReplay) reply.header('Idempotent-Replayed', 'true')
      return ok(viewPayment(paid))
    },
  )
}
