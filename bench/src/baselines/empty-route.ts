import { Envelope, ok } from '../../../server/src/platform/http/envelope.ts'
import type { Api } from '../../../server/src/platform/http/route-types.ts'
import { DataPurchase, DataPurchaseBody } from '../../../server/src/products/data/data.schemas.ts'

export const emptyRoutePath = '/bench/empty'

export function answerEmptyPurchase(body: DataPurchaseBody) {
  return ok({
    order_id: '00000000-0000-7000-8000-000000000000',
    reference: body.reference,
    status: 'pending' as const,
    network: body.network,
    size: `${body.volume_gb}GB`,
    recipient: body.recipient,
    price: 1,
    source: 'api',
    new_balance: 1,
  })
}

/** Answers a purchase without the database, to measure HTTPS, the key check, the validation and the envelope alone. */
export function registerEmptyRoute(api: Api): void {
  api.post(
    emptyRoutePath,
    { config: { keyType: 'standard' }, schema: { body: DataPurchaseBody, response: { 200: Envelope(DataPurchase) } } },
    async ({ body }) => answerEmptyPurchase(body),
  )
}
