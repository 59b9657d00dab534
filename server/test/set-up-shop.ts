import { afterAll, beforeAll } from 'vitest'
import { rateLimitsSetting } from '../src/all-settings.ts'
import { settleByPeople } from '../src/orders/manual/settle-by-people.ts'
import type { Db } from '../src/platform/database/database.ts'
import { writeSetting } from '../src/platform/settings/settings.ts'
import { products } from '../src/products/products.ts'
import { makeAccount, makeKeyFor, personNamed } from './make-account.ts'
import { mustPassAudit } from './must-pass-audit.ts'
import { startTestApp, type TestApi, type TestApp } from './start-test-app.ts'

/** A reseller who sells products with commission; `key` is the commission key. */
export type CommissionReseller = { readonly accountId: string; readonly key: string; readonly standardKey: string }

/** What the tests of one file share. */
export type ShopSetUp = {
  readonly app: TestApp
  readonly db: Db
  /** A second API on the same database, in the same process. */
  readonly second: TestApi
  /** Creates an agent, with GHS 1,000 if not given otherwise. */
  readonly makeCommissionReseller: (options?: Parameters<typeof makeAccount>[1]) => Promise<CommissionReseller>
  /** GHS in the main wallet. */
  readonly balance: (standardKey: string) => Promise<number>
  readonly ordersOf: (accountId: string) => ReturnType<typeof readOrders>
  /** Two people fail an order that was not sent, so that its money comes back. */
  readonly refund: (orderId: string) => Promise<void>
}

export type ShopOptions = {
  /** Endpoints without a limit in this test, so that races are not slowed. The limits have tests of their own. */
  readonly unlimited?: readonly string[]
  /** Writes what the shop sells beside bundles. */
  readonly prepare?: (db: Db) => Promise<unknown>
}

function readOrders(db: Db, accountId: string) {
  return db.selectFrom('orders').selectAll().where('account_id', '=', accountId).execute()
}

/**
 * Registers what a file of tests through the API needs: two API processes on a database, which must pass the audit in
 * the end. There is no worker, so that what is bought here stays open.
 */
export function setUpShop({ unlimited = [], prepare }: ShopOptions = {}): ShopSetUp {
  let app: TestApp
  let second: TestApi

  beforeAll(async () => {
    app = await startTestApp()
    const { db } = app.database
    await prepare?.(db)
    await writeSetting(db, rateLimitsSetting, Object.fromEntries(unlimited.map((name) => [name, 1_000_000])), 'test')
    second = await app.startAnother()
    await app.untilSeen()
  })
  afterAll(async () => {
    try {
      await mustPassAudit(app.database.db)
    } finally {
      await app.close()
    }
  })

  return {
    get app() {
      return app
    },
    get db() {
      return app.database.db
    },
    get second() {
      return second
    },
    makeCommissionReseller: async (options = {}) => {
      const { db } = app.database
      const { accountId } = await makeAccount(db, { balancePesewas: 100_000, ...options })
      return { accountId, key: await makeKeyFor(db, accountId, 'commission'), standardKey: await makeKeyFor(db, accountId) }
    },
    balance: async (key) => (await app.call('GET', '/wallet/balance', { key })).body.data.balance,
    ordersOf: (accountId) => readOrders(app.database.db, accountId),
    refund: async (orderId) => {
      for (const by of ['ama', 'kofi']) {
        await settleByPeople(app.database.db, products, {
          orderId,
          outcome: 'failed',
          evidence: 'ticket 1',
          person: personNamed(by),
        })
      }
    },
  }
}
