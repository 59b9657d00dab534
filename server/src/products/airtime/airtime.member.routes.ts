import { ghs, pesewas } from '../../money/pesewas.ts'
import { readWallet } from '../../money/wallets.ts'
import type { Intake } from '../../orders/intake/place-orders.ts'
import { findRefundReason } from '../../orders/settlement/explain-refund.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import {
  AirtimeLinesBody,
  AirtimeLinesPurchase,
  AirtimeLinesPurchaseBody,
  AirtimeShop,
  CheckedAirtimeLines,
} from './airtime.member.schemas.ts'
import { airtimeNetworks } from './airtime.schemas.ts'
import { airtimeBounds, airtimeEnabled, airtimeSwitchedOff } from './airtime.settings.ts'
import { checkAirtimeLines } from './check-airtime-lines.ts'
import type { AirtimeDeps } from './purchase-airtime.ts'
import { type AirtimeLineOutcome, purchaseAirtimeLines } from './purchase-airtime-lines.ts'
import { viewAirtimePurchase } from './view-airtime-order.ts'

type AirtimeMemberDeps = AirtimeDeps & { readonly db: Db; readonly epoch: Epoch; readonly intake: Intake }

async function viewOutcome(db: Db, { reference, bought, refusal }: AirtimeLineOutcome) {
  if (!bought)
    return { reference, order: null, refusal: { code: refusal.status, reason: refusal.reason, message: refusal.message } }
  const { order, balancePesewas } = bought
  return { reference, order: viewAirtimePurchase(order, balancePesewas, await findRefundReason(db, order)), refusal: null }
}

export function registerAirtimeMemberRoutes(app: Api, deps: AirtimeMemberDeps): void {
  app.get(
    '/airtime',
    {
      config: { permission: 'buy' },
      schema: {
        operationId: 'readAirtimeShop',
        tags: ['Buy'],
        summary: 'The networks that airtime is sold for, with their bounds',
        response: { 200: Envelope(AirtimeShop) },
      },
    },
    async ({ purchaser }) => {
      const wallet = await readWallet(deps.db, { accountId: purchaser.accountId, purse: 'main' })
      const networks = await Promise.all(
        airtimeNetworks.map(async (network) => ({
          network,
          is_available: deps.routes.choose('airtime', network) !== undefined,
          min_amount: await deps.settings.read(airtimeBounds[network].minimum),
          max_amount: await deps.settings.read(airtimeBounds[network].maximum),
        })),
      )
      return ok({ is_on: await deps.settings.read(airtimeEnabled), balance: ghs(pesewas(wallet.balance)), networks })
    },
  )
  app.post(
    '/airtime/check',
    {
      config: {
        isHeavy: true,
        changesNothing: true,
        permission: 'buy',
        limit: { name: 'POST /app/api/airtime/check', perMinute: 120 },
      },
      schema: {
        operationId: 'checkAirtimeLines',
        tags: ['Buy'],
        summary: 'Check lines of airtime while they are written',
        description: 'Moves no money and asks no supplier.',
        body: AirtimeLinesBody,
        response: { 200: Envelope(CheckedAirtimeLines) },
      },
    },
    async ({ purchaser, body }) => ok(await checkAirtimeLines(deps, purchaser, body)),
  )
  registerPurchase(app, deps)
}

function registerPurchase(app: Api, deps: AirtimeMemberDeps): void {
  app.post(
    '/airtime/purchase',
    {
      config: {
        permission: 'buy',
        limit: { name: 'POST /app/api/airtime/purchase', perMinute: 30 },
        refusals: [400, airtimeSwitchedOff],
      },
      schema: {
        operationId: 'buyAirtime',
        tags: ['Buy'],
        summary: 'Buy airtime for up to 100 numbers',
        description:
          'Each line as `POST /api/v2/airtime/purchase`, by itself: what is refused stands beside what is bought. A repeat with the same reference and line answers the order that it made, and charges nothing.',
        body: AirtimeLinesPurchaseBody,
        response: { 200: Envelope(AirtimeLinesPurchase) },
      },
    },
    async ({ purchaser, body }) => {
      const outcomes = await purchaseAirtimeLines(deps, purchaser, body.orders)
      const results = await Promise.all(outcomes.map((outcome) => viewOutcome(deps.db, outcome)))
      const balances = outcomes.flatMap(({ bought }) => bought?.balancePesewas ?? [])
      // The intake may place the lines in any order, and each lowers the balance, so the lowest balance is that after the
      // last line.
      return ok({ results, new_balance: balances.length === 0 ? null : ghs(pesewas(Math.min(...balances))) })
    },
  )
}
