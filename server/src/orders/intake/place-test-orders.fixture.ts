import { pino } from 'pino'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { routeName } from '../../suppliers/route-ports.ts'
import type { OrderKind } from '../order-kind.ts'
import { openCallQueue } from './call-queue.ts'
import { hashRequest } from './place-orders.ts'

type TestOrder = {
  readonly status: 'pending' | 'queued'
  readonly price: Pesewas
  readonly recipient: string
  readonly route: string
  readonly details: Record<string, unknown>
}

/** Orders with a price and a route that the test chooses. The intake does the rest. */
const testKind: OrderKind<TestOrder, undefined> = {
  name: 'data',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  read: () => Promise.resolve(undefined),
  decide: (item) => item.request,
  fork: (read) => read,
  take: () => undefined,
  write: () => Promise.resolve(),
}

export type PlacedOrder = { readonly orderId: string; readonly reference: string; readonly accountId: string }

export type TestOrderOptions = {
  product?: string
  supplier?: string
  network?: string
  pricePesewas?: number
  status?: TestOrder['status']
  details?: Record<string, unknown>
}

/** Places an order for each recipient, all in one call. @throws Error when they are refused */
export async function placeTestOrders(
  db: Db,
  accountId: string,
  recipients: readonly string[],
  options: TestOrderOptions = {},
): Promise<PlacedOrder[]> {
  const kind = { ...testKind, name: options.product ?? testKind.name }
  const route = routeName({ supplier: options.supplier ?? 'stub', product: kind.name, network: options.network ?? 'MTN' })
  const items = recipients.map((recipient) => {
    const orderId = newId()
    const reference = `test-${orderId}`
    const request: TestOrder = {
      status: options.status ?? 'pending',
      price: pesewas(options.pricePesewas ?? 500),
      recipient,
      route,
      details: options.details ?? {},
    }
    const fingerprint = hashRequest([reference])
    return { orderId, accountId, kind: kind.name, reference, fingerprint, request }
  })
  // The queue is not closed, because it uses the test's own database connection.
  const queue = openCallQueue({ db, kinds: new Map([[kind.name, kind]]), log: pino({ level: 'silent' }) })
  const outcome = await queue.submit({ accountId, items })
  if ('refusal' in outcome) throw new Error(`the intake refused the orders of the test: ${outcome.refusal.reason}`)
  return items.map(({ orderId, reference }) => ({ orderId, reference, accountId }))
}
