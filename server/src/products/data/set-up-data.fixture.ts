import type { sql } from 'kysely'
import { type ShopSetUp, setUpShop } from '../../../test/set-up-shop.ts'
import type { Answer, TestApi } from '../../../test/start-test-app.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'

type Bundle = { network: string; volume_gb: number; recipient: string; reference: string }

/** A shop, and the functions that the tests of bundles share. */
export type DataSetUp = {
  readonly shop: ShopSetUp
  /** 1 GB for an MTN number, with a new reference. */
  readonly bundle: (more?: object) => Bundle
  readonly buy: (key: string, body: unknown, api?: TestApi) => Promise<Answer>
  readonly buyBatch: (key: string, orders: unknown, api?: TestApi) => Promise<Answer>
  readonly countOrders: (accountId: string) => Promise<number>
  /** Changes rows of the catalogue by SQL, and raises its version, as every change of it does. */
  readonly changeCatalogue: (change: ReturnType<typeof sql>) => Promise<void>
}

export function setUpData(): DataSetUp {
  let references = 0
  const shop = setUpShop()
  return {
    shop,
    bundle: (more = {}) => ({
      network: 'MTN',
      volume_gb: 1,
      recipient: '0241234567',
      reference: `test-${++references}`,
      ...more,
    }),
    buy: (key, body, api = shop.app) => api.call('POST', '/data/purchase', { key, body }),
    buyBatch: (key, orders, api = shop.app) => api.call('POST', '/data/bulk', { key, body: { orders } }),
    countOrders: async (accountId) => (await shop.ordersOf(accountId)).length,
    changeCatalogue: (change) =>
      inTransaction(shop.db, async (tx) => {
        await change.execute(tx)
        await raiseCatalogueVersion(tx)
      }),
  }
}
