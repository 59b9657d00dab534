import { beforeAll } from 'vitest'
import { type ShopSetUp, setUpShop } from '../../../test/set-up-shop.ts'
import type { Answer, TestApi } from '../../../test/start-test-app.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'

export type VoucherSetUp = {
  readonly shop: ShopSetUp
  readonly keys: SecretsKeys
  readonly newReference: () => string
  /** A new type with this many vouchers. */
  readonly stocked: (count: number, more?: { isActive?: boolean }) => ReturnType<typeof stockVouchers>
  /** Buys one voucher with a new reference. Fields of `body` replace the usual ones. */
  readonly buy: (key: string, body: object, api?: TestApi) => Promise<Answer>
  readonly recall: (key: string, reference: string) => Promise<Answer>
  /** Reads the type as the caller sees it in the list. */
  readonly typeOf: (key: string, typeId: string) => Promise<object | undefined>
}

export function setUpVouchers(): VoucherSetUp {
  let references = 0
  let keys: SecretsKeys
  const shop = setUpShop({ unlimited: ['POST /resultschecker/purchase', 'GET /resultschecker/orders/{reference}'] })
  beforeAll(async () => {
    keys = await keysOf(shop.app)
  })

  const newReference = () => `vouchers-${++references}`
  return {
    shop,
    get keys() {
      return keys
    },
    newReference,
    stocked: (count, more) => stockVouchers(shop.db, keys, count, more),
    buy: (key, body, api = shop.app) =>
      api.call('POST', '/resultschecker/purchase', { key, body: { quantity: 1, reference: newReference(), ...body } }),
    recall: (key, reference) => shop.app.call('GET', `/resultschecker/orders/${encodeURIComponent(reference)}`, { key }),
    typeOf: async (key, typeId) => {
      const { types } = (await shop.app.call('GET', '/resultschecker/types', { key })).body.data
      return types.find((type: { type_id: string }) => type.type_id === typeId)
    },
  }
}
