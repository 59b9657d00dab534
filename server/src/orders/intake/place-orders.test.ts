import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { retryWhileBusy } from '../../../test/retry-while-busy.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { pesewas } from '../../money/pesewas.ts'
import { lockWallets, readWallet } from '../../money/wallets.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { refusals } from '../../platform/http/refusals.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import { closeIntake, openIntake } from './open-intake.ts'
import { type CallOutcome, type Intake, placeOrders } from './place-orders.ts'

/** A product with only the required fields: each item names its own price. */
const plainKind: OrderKind<{ price: number; breaksTheBatch?: boolean }, undefined> = {
  name: 'data',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  fromMemory: { suffices: ({ request }) => !request.breaksTheBatch, read: () => undefined },
  read: () => Promise.resolve(undefined),
  decide: (item) => ({
    status: 'pending',
    price: pesewas(item.request.price),
    recipient: '0240000000',
    route: 'nobody/data/MTN',
    details: {},
  }),
  fork: (read) => read,
  take: () => undefined,
  async write(tx, accepted) {
    if (accepted.some((item) => item.request.breaksTheBatch)) await sql`select 1 / 0`.execute(tx)
  },
}

let database: TestDatabase
/** Two intakes stand for two API processes: they share nothing but the database. */
let intakes: [Intake, Intake]

function open(onBatch: (orders: number) => void = () => undefined): Intake {
  return openIntake({ database: { url: database.applicationUrl }, kinds: [plainKind], log: pino({ level: 'silent' }), onBatch })
}

beforeAll(async () => {
  database = await createTestDatabase()
  intakes = [open(), open()]
})
afterAll(async () => {
  await Promise.all(intakes.map(closeIntake))
  await database.drop()
})

function wish(accountId: string, reference: string, price = 100, more: { breaksTheBatch?: boolean } = {}): OrderItem {
  const fingerprint = Buffer.from(`${reference}/${price}`).toString('hex')
  return { orderId: newId(), accountId, kind: 'data', reference, fingerprint, request: { price, ...more } }
}

const balanceOf = async (accountId: string) => (await readWallet(database.db, { accountId, purse: 'main' })).balance
const refusalOf = (outcome: Awaited<ReturnType<typeof placeOrders>>) => ('refusal' in outcome ? outcome.refusal.reason : 'placed')
/** Places orders, and tries again while the intake answers that it is overloaded. */
const placeAmongMany = (...call: Parameters<typeof placeOrders>) =>
  retryWhileBusy(
    () => placeOrders(...call),
    (outcome) => refusalOf(outcome) === 'overloaded',
  )

it('keeps the role that the price of an order followed, also once the account has another one', async () => {
  const { accountId } = await makeAccount(database.db, { role: 'dealer', balancePesewas: 500 })
  const place = (reference: string) => placeOrders(intakes[0], accountId, [wish(accountId, reference)])
  const setRole = (values: { role: 'agent' | 'dealer'; role_expires_at: Date | null }) =>
    database.db.updateTable('accounts').set(values).where('id', '=', accountId).execute()
  await place('of-a-dealer')
  await setRole({ role: 'dealer', role_expires_at: new Date(0) })
  await place('of-an-expired-dealer')
  await setRole({ role: 'agent', role_expires_at: null })
  const orders = await database.db.selectFrom('orders').select('role').where('account_id', '=', accountId).orderBy('id').execute()
  expect(orders.map(({ role }) => role)).toEqual(['dealer', 'customer'])
})

describe('the intake', () => {
  it('turns equal requests that race, in one process and between two, into one order and one debit', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 10_000 })
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        placeAmongMany(intakes[index % 2] as Intake, accountId, [wish(accountId, 'race-1')]),
      ),
    )
    const ids = new Set(
      outcomes.map((outcome) => ('placements' in outcome ? outcome.placements[0]?.order.id : refusalOf(outcome))),
    )
    expect(ids.size).toBe(1)
    expect(outcomes.filter((outcome) => 'placements' in outcome && outcome.placements[0]?.isReplay === false)).toHaveLength(1)
    expect(await balanceOf(accountId)).toBe(9_900)
    await mustPassAudit(database.db)
  })

  it('gives a reference to one of two accounts that race for it and 409 to the other', async () => {
    const first = await makeAccount(database.db, { balancePesewas: 100_000 })
    const second = await makeAccount(database.db, { balancePesewas: 100_000 })
    const references = Array.from({ length: 50 }, (_, index) => `contested-${index}`)
    const outcomes = await Promise.all(
      references.flatMap((reference) => [
        placeAmongMany(intakes[0], first.accountId, [wish(first.accountId, reference)]),
        placeAmongMany(intakes[1], second.accountId, [wish(second.accountId, reference)]),
      ]),
    )
    for (const [index] of references.entries()) {
      expect([refusalOf(outcomes[2 * index]!), refusalOf(outcomes[2 * index + 1]!)].toSorted()).toEqual([
        'placed',
        'reference_taken',
      ])
    }
    expect((await balanceOf(first.accountId)) + (await balanceOf(second.accountId))).toBe(200_000 - 50 * 100)
    await mustPassAudit(database.db)
  })

  it('sells exactly what a wallet holds to 64 racing buyers, singles and batches, over two processes', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 10_000 })
    const calls = Array.from({ length: 200 }, (_, index) =>
      Array.from({ length: index % 4 === 0 ? 3 : 1 }, (_unused, n) => wish(accountId, `funds-${index}-${n}`)),
    )
    const outcomes = await Promise.all(
      calls.map((items, index) => placeAmongMany(intakes[index % 2] as Intake, accountId, items)),
    )
    const placed = outcomes.flatMap((outcome) => ('placements' in outcome ? outcome.placements : []))
    expect(placed.length).toBe(100 - (await balanceOf(accountId)) / 100)
    expect(await balanceOf(accountId)).toBeLessThan(300)
    for (const outcome of outcomes) expect(['placed', 'insufficient_funds']).toContain(refusalOf(outcome))
    await mustPassAudit(database.db)
  })

  it('places a batch all or not at all', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 250 })
    const outcome = await placeOrders(
      intakes[0],
      accountId,
      [1, 2, 3].map((n) => wish(accountId, `all-${n}`)),
    )
    expect(refusalOf(outcome)).toBe('insufficient_funds')
    expect(await balanceOf(accountId)).toBe(250)
    const { rows } = await sql`select from order_references where reference like 'all-%'`.execute(database.db)
    expect(rows).toHaveLength(0)
  })

  it('leaves a reference free after a refusal, also for another account', async () => {
    const poor = await makeAccount(database.db)
    const rich = await makeAccount(database.db, { balancePesewas: 100 })
    expect(refusalOf(await placeOrders(intakes[0], poor.accountId, [wish(poor.accountId, 'freed')]))).toBe('insufficient_funds')
    expect(refusalOf(await placeOrders(intakes[0], rich.accountId, [wish(rich.accountId, 'freed')]))).toBe('placed')
  })

  it('places a bulk alone, and the purchases of others beside it together', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makeAccount(database.db, { balancePesewas: 10_000 })))
    const [bulkBuyer = '', ...others] = made.map(({ accountId }) => accountId)
    const batches: number[] = []
    const intake = open((orders) => batches.push(orders))
    const bulk = Array.from({ length: 20 }, (_, no) => wish(bulkBuyer, `bulk-${no}`))
    const outcomes = await Promise.all([
      placeOrders(intake, bulkBuyer, bulk),
      ...others.map((accountId) => placeOrders(intake, accountId, [wish(accountId, `beside-bulk-${accountId}`)])),
    ])
    await closeIntake(intake)
    expect(new Set(outcomes.map(refusalOf))).toEqual(new Set(['placed']))
    expect(batches.toSorted((a, b) => a - b)).toEqual([4, 20])
  })

  it('places a bulk and other purchases of one account one after the other, each once', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 10_000 })
    const batches: number[] = []
    const intake = open((orders) => batches.push(orders))
    const bulk = Array.from({ length: 20 }, (_, no) => wish(accountId, `own-bulk-${no}`))
    const outcomes = await Promise.all([
      placeOrders(intake, accountId, bulk),
      ...Array.from({ length: 4 }, (_, no) => placeOrders(intake, accountId, [wish(accountId, `beside-own-bulk-${no}`)])),
    ])
    await closeIntake(intake)
    expect(new Set(outcomes.map(refusalOf))).toEqual(new Set(['placed']))
    expect(batches.toSorted((a, b) => a - b)).toEqual([4, 20])
  })

  it('lets one account have half of what waits, so that others are still taken', async () => {
    const [bulkBuyer = '', other = ''] = (
      await Promise.all(Array.from({ length: 2 }, () => makeAccount(database.db, { balancePesewas: 1_000_000 })))
    ).map(({ accountId }) => accountId)
    const intake = open()
    const bulks = Array.from({ length: 50 }, (_, bulkNo) =>
      placeOrders(
        intake,
        bulkBuyer,
        Array.from({ length: 100 }, (_each, no) => wish(bulkBuyer, `flood-${bulkNo}-${no}`)),
      ),
    )
    const beside = placeOrders(intake, other, [wish(other, 'beside-a-flood')])
    expect(refusalOf(await beside)).toBe('placed')
    const outcomes = (await Promise.all(bulks)).map(refusalOf)
    expect(outcomes.filter((each) => each === 'overloaded')).toHaveLength(50 - 40)
    expect(outcomes.filter((each) => each === 'placed')).toHaveLength(40)
    await closeIntake(intake)
  })

  it('goes on for other accounts while one wallet is held, and tells its caller to come back', async () => {
    const held = await makeAccount(database.db, { balancePesewas: 1_000 })
    const free = await makeAccount(database.db, { balancePesewas: 1_000 })
    const intake = openIntake({
      database: { url: database.applicationUrl },
      kinds: [plainKind],
      log: pino({ level: 'silent' }),
    })
    const outcome = await inTransaction(database.db, async (tx) => {
      await lockWallets(tx, [{ accountId: held.accountId, purse: 'main' }])
      const waiting = placeOrders(intake, held.accountId, [wish(held.accountId, 'held-1')])
      const passing = await placeOrders(intake, free.accountId, [wish(free.accountId, 'free-1')])
      expect(refusalOf(passing)).toBe('placed')
      return waiting
    })
    expect(refusalOf(outcome)).toBe('overloaded')
    expect(await balanceOf(held.accountId)).toBe(1_000)
    expect(refusalOf(await placeOrders(intake, held.accountId, [wish(held.accountId, 'held-1')]))).toBe('placed')
    await closeIntake(intake)
  })

  it('places the calls of a wallet that others hold for a moment as soon as it is free, on whatever its facts are then', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000 })
    const place = (reference: string) => placeOrders(intakes[0], accountId, [wish(accountId, reference)])
    await place('remembered')
    const outcome = await inTransaction(database.db, async (tx) => {
      await lockWallets(tx, [{ accountId, purse: 'main' }])
      const waiting = place('meanwhile')
      await creditWallet(tx, { accountId, purse: 'main', amount: 50, actor: 'test' })
      return { waiting }
    })
    expect(await outcome.waiting).toMatchObject({ charged: 100, balance: 850 })
    await mustPassAudit(database.db)
  })

  it('isolates an order that breaks its batch, so that its neighbours are placed', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 100_000 })
    const others = Array.from({ length: 20 }, (_, index) =>
      placeAmongMany(intakes[0], accountId, [wish(accountId, `beside-${index}`)]),
    )
    const poison = placeOrders(intakes[0], accountId, [wish(accountId, 'poison', 100, { breaksTheBatch: true })])
    await expect(poison).rejects.toThrow('division by zero')
    expect((await Promise.all(others)).map(refusalOf)).toEqual(others.map(() => 'placed'))
    expect(await balanceOf(accountId)).toBe(100_000 - 20 * 100)
    await mustPassAudit(database.db)
  })

  it('loses and doubles nothing while its connections are cut under load', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000_000 })
    const cut = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'makola intake%' and datname = current_database()`.execute(database.ownerDb)
    // Some pauses are long enough for a batch to succeed, even on a slow machine.
    const placing = new AbortController()
    const cutOnAndOn = async (): Promise<void> => {
      for (let no = 0; !placing.signal.aborted; no += 1) {
        await cut()
        await sleep(no % 5 === 0 ? 250 : 20)
      }
    }
    const cutting = cutOnAndOn()
    const inDoubt = new Set<string>()
    /** Sends a call again while its outcome is unknown, as a client does. */
    const placeSurely = async (intake: Intake, reference: string) => {
      const isUnknown = (answer: CallOutcome) => refusalOf(answer) === 'outcome_unknown'
      const place = async () => {
        const answer = await placeAmongMany(intake, accountId, [wish(accountId, reference)])
        if (isUnknown(answer)) inDoubt.add(reference)
        return answer
      }
      return { reference, outcome: await retryWhileBusy(place, isUnknown) }
    }
    const placed = []
    for (let round = 0; round < 20; round += 1) {
      const calls = Array.from({ length: 16 }, (_, index) => placeSurely(intakes[index % 2] as Intake, `cut-${round}-${index}`))
      placed.push(...(await Promise.all(calls)))
    }
    placing.abort()
    await cutting
    expect(placed.map(({ outcome }) => refusalOf(outcome)).filter((reason) => reason !== 'placed')).toEqual([])
    const isReplay = (outcome: CallOutcome) => 'placements' in outcome && outcome.placements[0]?.isReplay
    // Only a call whose outcome was unknown may find that it was placed before.
    expect(placed.filter(({ reference, outcome }) => isReplay(outcome) && !inDoubt.has(reference))).toEqual([])
    expect(await balanceOf(accountId)).toBe(1_000_000 - placed.length * 100)
    await mustPassAudit(database.db)
  })

  it('refuses work beyond its queue before any money moves', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 10_000_000 })
    const outcomes = await Promise.all(
      Array.from({ length: 9_000 }, (_, index) => placeOrders(intakes[0], accountId, [wish(accountId, `flood-${index}`, 1)])),
    )
    const placed = outcomes.filter((outcome) => refusalOf(outcome) === 'placed').length
    expect(outcomes.length - placed).toBeGreaterThan(0)
    expect(new Set(outcomes.map(refusalOf))).toEqual(new Set(['placed', 'overloaded']))
    expect(await balanceOf(accountId)).toBe(10_000_000 - placed)
  })
})
