import { linkTo } from '../../platform/http/document/link-to.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { findUtilityOrder } from './find-utility-order.ts'
import { listBillers } from './list-billers.ts'
import { type LookupDeps, lookUpBillAccount, lookupWork } from './look-up-bill-account.ts'
import { type PayDeps, payBill } from './pay-bill.ts'
import { billRefusals } from './utilities.refusals.ts'
import {
  BillerList,
  UtilityLookup,
  UtilityLookupQuery,
  UtilityOrder,
  UtilityPayBody,
  UtilityPayment,
  UtilityReferenceParams,
} from './utilities.schemas.ts'
import { billLimits, billsSwitchedOff } from './utilities.settings.ts'
import { dropUnaskedPhone, viewPayment } from './view-payment.ts'

type UtilityRouteDeps = LookupDeps & PayDeps

export function registerUtilitiesRoutes(api: Api, deps: UtilityRouteDeps): void {
  registerBillerList(api, deps)
  registerLookup(api, deps)
  registerPayment(api, deps)
  registerOrderByReference(api, deps)
}

function registerBillerList(api: Api, deps: UtilityRouteDeps): void {
  api.get(
    '/utilities/billers',
    {
      config: { keyType: 'commission', limit: billLimits.billers },
      schema: {
        tags: ['Utility bills'],
        operationId: 'listBillers',
        summary: 'List the billers and the bounds of a payment',
        response: { 200: Envelope(BillerList) },
      },
    },
    async () => ok(await listBillers(deps)),
  )
}

function registerLookup(api: Api, deps: UtilityRouteDeps): void {
  api.get(
    '/utilities/lookup',
    {
      config: {
        keyType: 'commission',
        limit: billLimits.lookup,
        longWork: lookupWork,
        refusals: [400, billRefusals.billAccountNotFound, billRefusals.billerUnreachable, billsSwitchedOff],
      },
      schema: {
        tags: ['Utility bills'],
        operationId: 'lookUpBillAccount',
        summary: 'Look up an account, meter or smartcard',
        description:
          'For `ecg` the look-up runs on `phone` and answers the meters linked to it. 404 says that the biller knows no such account; 502 that it could not be asked, which says nothing about the account.',
        querystring: UtilityLookupQuery,
        response: { 200: Envelope(UtilityLookup) },
      },
    },
    async (request) => ok(await lookUpBillAccount(deps, request.caller, request.query)),
  )
}

function registerPayment(api: Api, deps: UtilityRouteDeps): void {
  api.post(
    '/utilities/pay',
    {
      config: {
        keyType: 'commission',
        limit: billLimits.pay,
        refusals: [400, billRefusals.duplicatePayment(30), billsSwitchedOff],
      },
      // An invalid body may still have the reference of an earlier order: see `payBill`.
      attachValidation: true,
      links: linkTo('findUtilityOrder', 'reference', 'reference'),
      preValidation: (request) => dropUnaskedPhone(deps.billers, request.body),
      schema: {
        tags: ['Utility bills'],
        operationId: 'payBill',
        summary: 'Pay a bill',
        description:
          'The face value is debited from the wallet and paid in the background: poll GET /utilities/orders/{reference} with the reference of the answer. Your own `reference` is a pure idempotency key: reusing it, even with another body, returns the original order in a short form and charges nothing. The same biller, account and amount within 30 seconds answers 409. Always send a reference: without one a repeat after a lost answer answers 409 although the first try may have paid, and later it pays again.',
        body: UtilityPayBody,
        response: { 200: Envelope(UtilityPayment) },
      },
    },
    async (request, reply) => {
      const paid = await payBill(deps, request.caller, request.body, request.validationError)
      if (paid.isReplay) reply.header('Idempotent-Replayed', 'true')
      return ok(viewPayment(paid))
    },
  )
}

function registerOrderByReference(api: Api, deps: UtilityRouteDeps): void {
  api.get(
    '/utilities/orders/:reference',
    {
      config: { keyType: 'commission', limit: billLimits.order, refusals: [refusals.orderNotFound] },
      schema: {
        tags: ['Utility bills'],
        operationId: 'findUtilityOrder',
        summary: 'Read a bill payment by its reference',
        params: UtilityReferenceParams,
        response: { 200: Envelope(UtilityOrder) },
      },
    },
    async (request) => ok(await findUtilityOrder(deps.db, request.caller, request.params.reference)),
  )
}
