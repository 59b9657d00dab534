import { type CommissionReseller, type ShopSetUp, setUpShop } from '../../../test/set-up-shop.ts'
import type { Answer, TestApi } from '../../../test/start-test-app.ts'
import { writeCommissionPlan } from '../../money/write-commission-plan.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'

type TopUp = Record<string, unknown> & { reference: string }

export type AirtimeSetUp = {
  readonly shop: ShopSetUp
  readonly balance: (reseller: CommissionReseller) => Promise<number>
  readonly newReference: () => string
  /** GHS 5 for an MTN number, with a new reference. */
  readonly topUp: (more?: object) => TopUp
  readonly buy: (key: string, body: unknown, api?: TestApi) => Promise<Answer>
  readonly list: (key: string) => Promise<unknown[]>
  readonly lookUp: (key: string, reference: string) => Promise<Answer>
}

/** @param unlimited endpoints that the tests may call without a rate limit */
export function setUpAirtime(
  unlimited = ['POST /airtime/purchase', 'GET /airtime/orders/{reference}', 'GET /airtime/orders'],
): AirtimeSetUp {
  let references = 0
  const shop = setUpShop({
    unlimited,
    prepare: (db) =>
      inTransaction(db, (tx) =>
        writeCommissionPlan(tx, {
          rates: [{ product: 'airtime', network: 'MTN', rateBasisPoints: 300 }],
          shares: [
            { product: 'airtime', role: 'customer', shareBasisPoints: 1_000 },
            { product: 'airtime', role: 'agent', shareBasisPoints: 5_000 },
            { product: 'airtime', role: 'dealer', shareBasisPoints: 6_000 },
          ],
        }),
      ),
  })
  const newReference = () => `airtime-${++references}`

  return {
    shop,
    newReference,
    balance: ({ standardKey }) => shop.balance(standardKey),
    topUp: (more = {}) => ({
      network: 'MTN',
      beneficiary_phone: '0241234567',
      amount: 5,
      reference: newReference(),
      ...more,
    }),
    buy: (key, body, api = shop.app) => api.call('POST', '/airtime/purchase', { key, body }),
    list: async (key) => (await shop.app.call('GET', '/airtime/orders', { key })).body.data.orders,
    lookUp: (key, reference) => shop.app.call('GET', `/airtime/orders/${encodeURIComponent(reference)}`, { key }),
  }
}
