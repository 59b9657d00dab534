import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Role } from '../../accounts/caller.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { pesewas } from '../../money/pesewas.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { refusals, refuse } from '../../platform/http/refusals.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import { type BatchOutcome, placeExactly } from './exact/place-exactly.ts'
import { type CallOutcome, createWaitingCall, type OrderCall, type OrderKinds } from './place-orders.ts'
import { placeRemembered } from './remembered/place-remembered.ts'
import { createRememberedFacts, forgetEpoch, type RememberedFacts, readMissingFacts } from './remembered/remembered-facts.ts'

const accountCount = 3
const fundsPesewas = 1_000

type Request = { price: number; catalogueVersion: number; fate: 'sold' | 'refused' | 'skipped' | 'queued' }

/** An item's price depends on the version of the catalogue and on the account's role, as a bundle's price does. */
const kind: OrderKind<Request, { freshVersion: number | undefined }> = {
  name: 'data',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  fromMemory: {
    suffices: ({ request }, catalogueVersion) => request.catalogueVersion === catalogueVersion,
    read: () => ({ freshVersion: undefined }),
  },
  async read(_tx, items, catalogueVersion) {
    const isStale = items.some(({ request }) => request.catalogueVersion !== catalogueVersion)
    return { freshVersion: isStale ? catalogueVersion : undefined }
  },
  decide({ request }, { account }, { freshVersion }) {
    if (request.fate === 'refused') return { refusal: refuse(404, 'package_not_found', 'No such package.') }
    if (request.fate === 'skipped') return { skipped: refuse(409, 'number_not_registered', 'Not registered.') }
    const version = freshVersion ?? request.catalogueVersion
    return {
      status: request.fate === 'queued' ? 'queued' : 'pending',
      price: pesewas(request.price + 10 * (version % 7) + { customer: 3, agent: 2, dealer: 1 }[account.pricingRole]),
      recipient: '0240000000',
      route: 'nobody/data/MTN',
      details: { version },
    }
  },
  fork: (read) => read,
  take: () => undefined,
  write: () => Promise.resolve(),
}
const kinds: OrderKinds = new Map([[kind.name, kind as OrderKind]])

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await mustPassAudit(database.db)
  await database.drop()
})

type WishedItem = {
  referenceNo: number
  price: number
  fate: Request['fate']
  isOtherRequest: boolean
  isOfOldCatalogue: boolean
}
type WishedCall = { accountNo: number; items: readonly WishedItem[] }

/**
 * A step of the test. The intake gets only `calls`. `restart` empties its memory. All other steps change the database, and the
 * intake must notice the change by itself.
 */
type Step =
  | { readonly name: 'calls'; readonly calls: readonly WishedCall[] }
  | { readonly name: 'credit'; readonly accountNo: number; readonly amount: number }
  | { readonly name: 'role'; readonly accountNo: number; readonly role: Role; readonly isExpiring: boolean }
  | { readonly name: 'suspend' | 'reactivate'; readonly accountNo: number }
  | { readonly name: 'catalogue' }
  | { readonly name: 'outsider'; readonly referenceNo: number }
  | { readonly name: 'restart' }

const accountNo = fc.integer({ min: 0, max: accountCount - 1 })
const referenceNo = fc.integer({ min: 0, max: 9 })
const wishedItem: fc.Arbitrary<WishedItem> = fc.record({
  referenceNo,
  price: fc.constantFrom(50, 120, 400),
  fate: fc.constantFrom('sold', 'sold', 'sold', 'queued', 'refused', 'skipped'),
  isOtherRequest: fc.boolean(),
  isOfOldCatalogue: fc.integer({ min: 0, max: 9 }).map((no) => no === 0),
})
// A request names each reference once, because the endpoints refuse any other.
const items = fc.uniqueArray(wishedItem, { minLength: 1, maxLength: 3, selector: (item) => item.referenceNo })
const wishedCalls = fc.array(fc.record({ accountNo, items }), { minLength: 1, maxLength: 6 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name: fc.constant('calls'), calls: wishedCalls }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('credit'), accountNo, amount: fc.constantFrom(30, 500) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('role'),
      accountNo,
      role: fc.constantFrom<Role[]>('agent', 'dealer'),
      isExpiring: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ name: fc.constantFrom('suspend', 'reactivate'), accountNo }) },
  { weight: 1, arbitrary: fc.constant({ name: 'catalogue' } as const) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('outsider'), referenceNo }) },
  { weight: 1, arbitrary: fc.constant({ name: 'restart' } as const) },
)

/** A call of the first account for one item. */
function callFor(referenceNo: number, item: Partial<WishedItem> = {}): WishedCall {
  const usual = { price: 50, fate: 'sold', isOtherRequest: false, isOfOldCatalogue: false } as const
  return { accountNo: 0, items: [{ referenceNo, ...usual, ...item }] }
}

/** A call that is decided from memory in vain, and then exactly, must still come before the later calls of its account. */
const inVain: readonly Step[] = [
  { name: 'calls', calls: [callFor(3), callFor(0)] },
  { name: 'credit', accountNo: 0, amount: 30 },
  { name: 'calls', calls: [callFor(0), callFor(3, { fate: 'skipped' }), callFor(1, { isOfOldCatalogue: true })] },
]

/**
 * A set of accounts. Two such sets get the same steps: the calls of one are decided from memory where possible, those of the
 * other always exactly.
 */
type World = { readonly name: string; readonly accountIds: readonly string[]; readonly outsiderId: string }

async function makeWorld(): Promise<World> {
  const made = await Promise.all(
    Array.from({ length: accountCount + 1 }, () => makeAccount(database.db, { role: 'dealer', balancePesewas: fundsPesewas })),
  )
  const [outsiderId = '', ...accountIds] = made.map(({ accountId }) => accountId)
  return { name: newId(), accountIds, outsiderId }
}

async function readCatalogueVersion(): Promise<number> {
  const { rows } = await sql<{ version: number }>`select catalogue_version as version from cache_epoch`.execute(database.db)
  return rows[0]?.version ?? 0
}

function callOf(world: World, accountId: string, items: readonly WishedItem[], catalogueVersion: number): OrderCall {
  return {
    accountId,
    items: items.map(
      (item): OrderItem<Request> => ({
        orderId: newId(),
        accountId,
        kind: 'data',
        reference: `${world.name}:${item.referenceNo}`,
        fingerprint: item.isOtherRequest ? '01' : '00',
        request: {
          price: item.price,
          fate: item.fate,
          catalogueVersion: catalogueVersion - (item.isOfOldCatalogue ? 1 : 0),
        },
      }),
    ),
  }
}

async function placeTheExactWay(calls: readonly OrderCall[]): Promise<readonly BatchOutcome[]> {
  if (calls.length === 0) return []
  return (await inTransaction(database.db, (tx) => placeExactly(tx, calls, kinds))).outcomes
}

async function placeOnRememberedFacts(facts: RememberedFacts, calls: readonly OrderCall[]): Promise<BatchOutcome[]> {
  const outcomes = new Map<OrderCall, BatchOutcome>()
  const warnings: unknown[] = []
  const waiting = calls.map((call) =>
    createWaitingCall(call, {
      resolve: (outcome) => outcomes.set(call, outcome),
      reject: (error) => warnings.push(error),
      onUnknown: () => warnings.push('unknown'),
      onAnswered: () => undefined,
    }),
  )
  const log = { warn: (fields: unknown) => warnings.push(fields) }
  const { atOnce, afterRest } = await placeRemembered({ db: database.db, kinds, facts, log }, waiting)
  expect([...warnings, ...afterRest]).toEqual([])
  const late = await placeTheExactWay(atOnce.map(({ call }) => call))
  for (const [index, waitingCall] of atOnce.entries()) waitingCall.answer(late[index] as CallOutcome)
  return calls.map((call) => outcomes.get(call) as BatchOutcome)
}

/** The caller's answer, without the ids and times that differ between the worlds. */
function told(outcome: BatchOutcome) {
  if (outcome === 'wallet_busy') return outcome
  if ('refusal' in outcome) return { refusal: outcome.refusal.reason, itemIndex: outcome.itemIndex }
  return {
    charged: outcome.charged,
    balance: outcome.balance,
    skipped: outcome.skipped.map(({ itemIndex, refusal }) => [itemIndex, refusal.reason]),
    placements: outcome.placements.map(({ order, isReplay }) => [
      isReplay,
      order.reference.split(':')[1],
      order.status,
      order.price,
      order.details,
    ]),
  }
}

/** Fails the test unless each answered order has the times of its row in the database. */
async function expectTimesToBeStored(outcomes: readonly BatchOutcome[]): Promise<void> {
  const orders = outcomes.flatMap((outcome: CallOutcome | 'wallet_busy') =>
    typeof outcome === 'object' && 'placements' in outcome ? outcome.placements.map(({ order }) => order) : [],
  )
  if (orders.length === 0) return
  const rows = await database.db
    .selectFrom('orders')
    .select(['id', 'created_at', 'updated_at'])
    .where(
      'id',
      'in',
      orders.map(({ id }) => id),
    )
    .execute()
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const { id, createdAt, updatedAt } of orders)
    expect({ createdAt, updatedAt }).toEqual({ createdAt: stored.get(id)?.created_at, updatedAt: stored.get(id)?.updated_at })
}

/** All rows of a world, without ids and times. */
async function readRows({ name, accountIds }: World): Promise<unknown> {
  const { rows } = await sql<{ rows: unknown }>`
    select json_build_array(
      (select json_agg(row order by row::text) from (
        select json_build_array(array_position(${accountIds}::uuid[], orders.account_id), split_part(orders.reference, ':', 2),
          orders.kind, status, price, recipient, source, details, role, route, hold_reason, isfinite(next_step_at), holder.kind,
          encode(holder.fingerprint, 'hex'), amount, from_purse, to_purse, from_entry_no, from_balance_after) as row
        from orders
        join transfers on cause_id = orders.id and transfers.kind = 'purchase'
        left join open_orders on open_orders.order_id = orders.id
        full join (select * from order_references where reference like ${`${name}:%`}) as holder on holder.order_id = orders.id
        where orders.account_id = any(${accountIds}::uuid[]) or holder.reference like ${`${name}:%`}) as found),
      (select json_agg(json_build_array(array_position(${accountIds}::uuid[], account_id), purse, balance, last_entry_no)
        order by array_position(${accountIds}::uuid[], account_id), purse)
        from wallets where account_id = any(${accountIds}::uuid[]))) as rows`.execute(database.db)
  return rows[0]?.rows
}

/** Changes the database by a step, and does not correct the remembered facts: the next batch must notice the change. */
async function happen(world: World, facts: RememberedFacts, step: Exclude<Step, { name: 'calls' }>): Promise<void> {
  const { db } = database
  const accountId = 'accountNo' in step ? (world.accountIds[step.accountNo] as string) : ''
  if (step.name === 'credit') {
    await inTransaction(db, (tx) => creditWallet(tx, { accountId, purse: 'main', amount: step.amount, actor: 'test' }))
  }
  if (step.name === 'suspend' || step.name === 'reactivate') {
    const status = step.name === 'suspend' ? 'suspended' : 'active'
    await db.updateTable('accounts').set({ status }).where('id', '=', accountId).execute()
  }
  if (step.name === 'role') {
    await sql`
      update accounts set role = ${step.role},
        role_expires_at = case when ${step.isExpiring} then clock_timestamp() + interval '20 milliseconds' end
      where id = ${accountId}`.execute(db)
    if (step.isExpiring) {
      // The role is remembered before it expires.
      forgetEpoch(facts)
      await readMissingFacts(db, facts, world.accountIds)
      await sql`select pg_sleep(0.03)`.execute(db)
    }
  }
  if (step.name === 'outsider') {
    const wished = {
      referenceNo: step.referenceNo,
      price: 1,
      fate: 'sold',
      isOtherRequest: false,
      isOfOldCatalogue: false,
    } as const
    await placeTheExactWay([callOf(world, world.outsiderId, [wished], await readCatalogueVersion())])
  }
}

async function expectSameOutcomes(
  remembering: World,
  exact: World,
  facts: RememberedFacts,
  calls: readonly WishedCall[],
): Promise<void> {
  const version = await readCatalogueVersion()
  const callsIn = (world: World) =>
    calls.map(({ accountNo, items }) => callOf(world, world.accountIds[accountNo] as string, items, version))
  const outcomes = await placeOnRememberedFacts(facts, callsIn(remembering))
  expect(outcomes.map(told)).toEqual((await placeTheExactWay(callsIn(exact))).map(told))
  await expectTimesToBeStored(outcomes)
}

it('calls end the same way on remembered facts and on facts that are read under locks: the same answers and the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const [remembering, exact] = await Promise.all([makeWorld(), makeWorld()])
      let facts = createRememberedFacts()
      for (const step of steps) {
        if (step.name === 'restart') facts = createRememberedFacts()
        else if (step.name === 'catalogue') await raiseCatalogueVersion(database.db)
        else if (step.name === 'calls') await expectSameOutcomes(remembering, exact, facts, step.calls)
        else {
          await happen(exact, createRememberedFacts(), step)
          await happen(remembering, facts, step)
        }
      }
      expect(await readRows(remembering)).toEqual(await readRows(exact))
    }),
    { numRuns: 25, endOnFailure: true, examples: [[[...inVain]]] },
  )
})
