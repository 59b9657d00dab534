import { beforeAll, expect } from 'vitest'
import { applicant } from '../../../test/applicant.ts'
import { type ShopSetUp, setUpShop } from '../../../test/set-up-shop.ts'
import type { Answer, TestApi } from '../../../test/start-test-app.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'

export type Registered = { readonly key: string; readonly reference: string; readonly orderId: string }

/** A shop, and the functions that the tests of AFA registrations share. */
export type AfaSetUp = {
  readonly shop: ShopSetUp
  readonly keys: SecretsKeys
  /** An applicant, with a new reference. */
  readonly person: (more?: object) => Record<string, unknown> & { reference: string }
  readonly register: (key: string, body: unknown, api?: TestApi) => Promise<Answer>
  readonly registered: () => Promise<Registered>
  readonly lookUp: (key: string, reference: string) => Promise<Answer>
}

/** @param unlimited endpoints that the tests may call without a rate limit */
export function setUpAfa(unlimited = ['POST /afa/register']): AfaSetUp {
  let references = 0
  let keys: SecretsKeys
  const shop = setUpShop({ unlimited })
  beforeAll(async () => {
    keys = await loadSecretsKeys({ secretsKey: undefined, databaseUrl: undefined, dataDir: shop.app.dataDir })
  })

  const person = (more: object = {}) => ({
    reference: `afa-${++references}`,
    ...applicant,
    ...more,
  })
  const register = (key: string, body: unknown, api: TestApi = shop.app) => api.call('POST', '/afa/register', { key, body })
  return {
    shop,
    get keys() {
      return keys
    },
    person,
    register,
    registered: async () => {
      const { key } = await shop.app.makeReseller()
      const body = person()
      const answer = await register(key, body)
      expect(answer.status).toBe(200)
      return { key, reference: body.reference, orderId: answer.body.data.order_id }
    },
    lookUp: (key, reference) => shop.app.call('GET', `/afa/orders/${reference}`, { key }),
  }
}
