import { type CommissionReseller, type ShopSetUp, setUpShop } from '../../../test/set-up-shop.ts'
import type { Answer, TestApi } from '../../../test/start-test-app.ts'
import { writeCommissionPlan } from '../../money/write-commission-plan.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'

export type UtilitiesSetUp = {
  readonly shop: ShopSetUp
  readonly balance: (reseller: CommissionReseller) => Promise<number>
  readonly newSmartcard: () => string
  /** A payment of GHS 20 for a new smartcard. */
  readonly bill: (more?: object) => Record<string, unknown>
  readonly pay: (key: string, body: unknown, api?: TestApi) => Promise<Answer>
  readonly lookUpOrder: (key: string, reference: string) => Promise<Answer>
}

export function setUpUtilities(): UtilitiesSetUp {
  let accounts = 1_000_000
  const shop = setUpShop({
    unlimited: [
      'POST /utilities/pay',
      'GET /utilities/lookup',
      'GET /utilities/billers',
      'GET /utilities/orders/{reference}',
      'POST /airtime/purchase',
    ],
    prepare: (db) =>
      inTransaction(db, (tx) =>
        writeCommissionPlan(tx, {
          rates: [{ product: 'utilities', network: 'dstv', rateBasisPoints: 150 }],
          shares: [
            { product: 'utilities', role: 'customer', shareBasisPoints: 2_550 },
            { product: 'utilities', role: 'agent', shareBasisPoints: 5_000 },
          ],
        }),
      ),
  })
  const newSmartcard = () => String(++accounts)

  return {
    shop,
    newSmartcard,
    balance: ({ standardKey }) => shop.balance(standardKey),
    bill: (more = {}) => ({ biller: 'dstv', account: newSmartcard(), amount: 20, ...more }),
    pay: (key, body, api = shop.app) => api.call('POST', '/utilities/pay', { key, body }),
    lookUpOrder: (key, reference) => shop.app.call('GET', `/utilities/orders/${encodeURIComponent(reference)}`, { key }),
  }
}
