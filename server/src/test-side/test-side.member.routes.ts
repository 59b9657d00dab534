import Type from 'typebox'
import { callsTodayFields, KeyPath, keyTypes, MadeKey, NewKeyBody, RevokedKey } from '../accounts/developer/developer.schemas.ts'
import { findAccount } from '../accounts/find-account.ts'
import { listLiveKeys } from '../accounts/list-keys.ts'
import { withCallsToday } from '../accounts/request-log/with-calls-today.ts'
import { Ghs } from '../money/ghs.ts'
import { readPurseBalances } from '../money/wallets.ts'
import { listAccountOrders, orderLineOf } from '../orders/members/list-account-orders.ts'
import { OrderPageView } from '../orders/members/order-member.schemas.ts'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { Db } from '../platform/database/database.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError, refuse } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import { Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'
import { Timestamp } from '../platform/operations/fields.ts'
import { endTestKey, fillTestPurses, makeTestKey } from './test-account.ts'

const noTestSide = refuse(409, 'no_test_side', 'This installation has no test keys. Ask us to switch them on.')
const noTestKey = refuse(409, 'no_test_key', 'Make a test key first.')

const TestSide = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        keyId: Uuid(),
        type: OneOf(keyTypes),
        prefix: Type.String({ description: 'What stands before the secret.' }),
        hint: Type.String({ description: 'The last four characters.' }),
        createdAt: Timestamp(),
        lastUsedAt: Nullable(Timestamp()),
        ...callsTodayFields,
      }),
    ),
    balance: Ghs({ description: 'Test money.' }),
    smsCredits: Type.Integer(),
    orders: Type.Index(OrderPageView, ['orders']),
  },
  { title: 'TestSide' },
)

const NoTestSide = Type.Object({ isOn: Type.Boolean(), side: Nullable(TestSide) }, { title: 'TestSideState' })

/** The parts of the API process that only these routes need. */
export type TestSideParts = {
  /** Undefined: the operator has not switched test keys on. */
  readonly testDb?: Db | undefined
  readonly keyPrefix: string
}

type TestSideDeps = TestSideParts & { readonly db: Db; readonly products: readonly ProductFacts[] }

const newestOrders = 20

async function readTestSide(testDb: Db, { products }: TestSideDeps, accountId: string) {
  if (!(await findAccount(testDb, accountId))) return null
  const lists = { db: testDb, products, formsOfRecipient: () => Promise.resolve({ recipients: [] }) }
  const [live, purses, page] = await Promise.all([
    listLiveKeys(testDb, accountId),
    readPurseBalances(testDb, accountId),
    listAccountOrders(lists, accountId, { filters: {}, limit: newestOrders }),
  ])
  const keys = await withCallsToday(testDb, live)
  return { keys, balance: purses.main, smsCredits: purses.smsCredits, orders: page.orders.map(orderLineOf) }
}

const changing = { permission: 'manage_keys', refusals: [noTestSide, noTestKey] } as const

function needTestDb({ testDb }: TestSideDeps): Db {
  if (!testDb) throw new RefusalError(noTestSide)
  return testDb
}

function registerTestKeyRoutes(app: Api, deps: TestSideDeps): void {
  const { db, keyPrefix: prefix } = deps
  app.post(
    '/test-side/keys',
    {
      config: changing,
      schema: {
        operationId: 'makeTestKey',
        tags: ['Developer API'],
        summary: 'Make a test key, which works at once; the old one of its type stops',
        body: NewKeyBody,
        response: { 200: Envelope(MadeKey) },
      },
    },
    async ({ membership: { accountId }, body: { type } }) =>
      ok(await makeTestKey({ db, testDb: needTestDb(deps) }, { accountId, type, prefix })),
  )
  app.delete(
    '/test-side/keys/:key_id',
    {
      config: changing,
      schema: {
        operationId: 'endTestKey',
        tags: ['Developer API'],
        summary: 'End a test key for good',
        params: KeyPath,
        response: { 200: Envelope(RevokedKey) },
      },
    },
    async ({ membership: { accountId }, params: { keyId } }) => {
      const ended = await endTestKey(needTestDb(deps), { accountId, keyId })
      if (!ended) throw new RefusalError(noTestKey)
      return ok(ended)
    },
  )
}

export function registerTestSideRoutes(app: Api, deps: TestSideDeps): void {
  const { testDb } = deps
  app.get(
    '/test-side',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readTestSide',
        tags: ['Developer API'],
        summary: 'The test keys, test money and newest test orders of the account',
        response: { 200: Envelope(NoTestSide) },
      },
    },
    async ({ membership: { accountId } }) =>
      ok({ isOn: testDb !== undefined, side: testDb ? await readTestSide(testDb, deps, accountId) : null }),
  )
  app.post(
    '/test-side/money',
    {
      config: changing,
      schema: {
        operationId: 'fillTestPurses',
        tags: ['Developer API'],
        summary: 'Fill the test money up: GHS 1,000 and 1,000 SMS credits',
        response: { 200: Envelope(NoTestSide) },
      },
    },
    async ({ membership: { accountId } }) => {
      const side = needTestDb(deps)
      if (!(await findAccount(side, accountId))) throw new RefusalError(noTestKey)
      await fillTestPurses(side, accountId)
      return ok({ isOn: true, side: await readTestSide(side, deps, accountId) })
    },
  )
  registerTestKeyRoutes(app, deps)
}
