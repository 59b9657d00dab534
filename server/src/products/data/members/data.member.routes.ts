import { ghs, pesewas } from '../../../money/pesewas.ts'
import { readWallet } from '../../../money/wallets.ts'
import { listNetworksByPrefix } from '../../../networks/number-plan.ts'
import type { Intake } from '../../../orders/intake/place-orders.ts'
import { shownPriceOf } from '../../../orders/shown-price.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Epoch } from '../../../platform/database/epoch.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { refusals } from '../../../platform/http/refusals.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { dataRefusals } from '../data.refusals.ts'
import { isWholeReplay, viewDataBatch } from '../data.routes.ts'
import { DataBulk, dataNetworks } from '../data.schemas.ts'
import { dataEnabled, dataSwitchedOff } from '../data.settings.ts'
import { listPackagesFor } from '../list-packages.ts'
import type { DataDeps } from '../purchase-data.ts'
import { purchaseDataBatch } from '../purchase-data-batch.ts'
import { checkDataLines } from './check-data-lines.ts'
import { CheckedDataLines, DataLinesBody, DataPurchaseByPerson, DataShop } from './data.member.schemas.ts'

type DataMemberDeps = DataDeps & { readonly db: Db; readonly epoch: Epoch; readonly intake: Intake }

export function registerDataMemberRoutes(app: Api, deps: DataMemberDeps): void {
  registerShop(app, deps)
  registerChecks(app, deps)
  registerPurchase(app, deps)
}

function registerShop(app: Api, deps: DataMemberDeps): void {
  app.get(
    '/data',
    {
      config: { permission: 'buy' },
      schema: {
        operationId: 'readDataShop',
        tags: ['Buy'],
        summary: 'The bundles that can be bought now',
        response: { 200: Envelope(DataShop) },
      },
    },
    async ({ purchaser }) => {
      const [isOn, plan, wallet, packages] = await Promise.all([
        deps.settings.read(dataEnabled),
        deps.numberPlan(),
        readWallet(deps.db, { accountId: purchaser.accountId, purse: 'main' }),
        listPackagesFor(deps, purchaser),
      ])
      const balance = ghs(pesewas(wallet.balance))
      return ok({
        is_on: isOn,
        balance,
        networks: [...dataNetworks],
        prefixes: listNetworksByPrefix(plan, dataNetworks),
        packages,
      })
    },
  )
}

function registerChecks(app: Api, deps: DataMemberDeps): void {
  const answers = { body: DataLinesBody, response: { 200: Envelope(CheckedDataLines) } }
  app.post(
    '/data/check',
    {
      config: {
        isHeavy: true,
        changesNothing: true,
        permission: 'buy',
        limit: { name: 'POST /app/api/data/check', perMinute: 120 },
      },
      schema: {
        operationId: 'checkDataLines',
        tags: ['Buy'],
        summary: 'Check lines of bundles while they are written',
        description: 'Moves no money and asks no supplier.',
        ...answers,
      },
    },
    async ({ purchaser, body }) => ok(await checkDataLines(deps, purchaser, body, false)),
  )
  app.post(
    '/data/check-registrations',
    {
      config: {
        isHeavy: true,
        changesNothing: true,
        permission: 'buy',
        limit: { name: 'POST /app/api/data/check-registrations', perMinute: 30 },
      },
      schema: {
        operationId: 'checkDataRegistrations',
        tags: ['Buy'],
        summary: 'Check lines of bundles right before they are bought',
        description:
          'As `checkDataLines`, and asks the registration servers about the MTN numbers, which may take seconds. An order for a number that is not registered waits, or is left out where we have switched the whitelist gate on.',
        ...answers,
      },
    },
    async ({ purchaser, body }) => ok(await checkDataLines(deps, purchaser, body, true)),
  )
}

function registerPurchase(app: Api, deps: DataMemberDeps): void {
  app.post(
    '/data/purchase',
    {
      config: {
        permission: 'buy',
        limit: { name: 'POST /app/api/data/purchase', perMinute: 30 },
        refusals: [400, dataRefusals.packageNotFound, refusals.priceChanged('GHS 9.80'), dataSwitchedOff],
      },
      schema: {
        operationId: 'buyData',
        tags: ['Buy'],
        summary: 'Buy up to 100 bundles',
        description:
          'As `POST /api/v2/data/bulk`: all are placed and charged together, or none; none when one of them has another price than was shown. An order whose reference stands already with the same body is answered with that order, and is not charged again.',
        body: DataPurchaseByPerson,
        response: { 200: Envelope(DataBulk) },
      },
    },
    async ({ purchaser, body }, reply) => {
      const batch = await purchaseDataBatch(deps, purchaser, body, body.orders.map(shownPriceOf))
      if (isWholeReplay(batch)) reply.header('Idempotent-Replayed', 'true')
      return ok(viewDataBatch(batch))
    },
  )
}
