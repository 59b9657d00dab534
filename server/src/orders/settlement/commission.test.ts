import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { personNamed } from '../../../test/make-account.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import type { CommissionTerms } from '../../money/commission-terms.ts'
import { pesewas } from '../../money/pesewas.ts'
import { transferCommission } from '../../money/transfer-commission.ts'
import { readWallet } from '../../money/wallets.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { products } from '../../products/products.ts'
import { makeAccount, movesOf, statusOf } from '../dispatch/order-bench.fixture.ts'
import type { Work } from '../dispatch/perform-work.ts'
import { placeTestOrders } from '../intake/place-test-orders.fixture.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { settleByPeople } from '../manual/settle-by-people.ts'
import type { Settlement } from './settle-attempts.ts'

const desk = setUpOrders()

const terms: CommissionTerms = { rateBasisPoints: 300, shareBasisPoints: 5_000 }
const price = 2_050
/** In pesewas: 3% of 2050 is 61.5, rounded down to 61; half of 61 is 30.5, rounded down to 30. */
const base = 61
const caller = 30

const { begin, settle, endLeases } = desk
const place = (commission: CommissionTerms = terms) => desk.place({ pricePesewas: price, details: { commission } })

function conclude(work: Work, meaning: 'failed' | 'delivered' | 'accepted', reported?: number): Promise<Settlement> {
  const report = reported === undefined ? {} : { reportedCommissionPesewas: pesewas(reported) }
  return desk.conclude(work, { meaning, evidence: `it is ${meaning}`, ...report })
}

const commissionOf = async (id = desk.accountId) => (await readWallet(desk.db, { accountId: id, purse: 'commission' })).balance
const earnedBy = (orderId: string) =>
  desk.db
    .selectFrom('order_commissions')
    .select(['base', 'caller', 'platform', 'source'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
const comeDue = () =>
  sql`update open_orders set next_step_at = now() - interval '1 second', lease_until = '-infinity'
  where next_step_at <> 'infinity'`.execute(desk.db)

describe('commission', () => {
  test('is credited to the Commission Wallet when the order reaches completed', async () => {
    const order = await place()
    const work = await begin()
    expect(await commissionOf()).toBe(0)
    await settle(await conclude(work, 'delivered'))
    expect(await commissionOf()).toBe(caller)
    expect(await earnedBy(order.orderId)).toEqual({ base, caller, platform: base - caller, source: 'rate' })
  })

  test('is credited once however many of 64 settlers race', async () => {
    const order = await place()
    const settlement = await conclude(await begin(), 'delivered')
    const batches = await Promise.all(Array.from({ length: 64 }, () => settle(settlement)))
    expect(batches.filter(({ settled }) => settled.length === 1)).toHaveLength(1)
    expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>processing', 'processing>completed'])
    expect(await commissionOf()).toBe(caller)
  })

  test('is credited once when workers and two people race to complete an order', async () => {
    const order = await place()
    const settlement = await conclude(await begin(), 'delivered')
    await endLeases()
    const word = { orderId: order.orderId, outcome: 'completed' as const, evidence: 'ticket 1' }
    await settleByPeople(desk.db, products, { ...word, person: personNamed('ama') })
    await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        index % 2 === 0
          ? settle(settlement)
          : settleByPeople(desk.db, products, { ...word, person: personNamed(`person ${index}`) }),
      ),
    )
    expect(await statusOf(desk.db, order.orderId)).toBe('completed')
    expect(await commissionOf()).toBe(caller)
  })

  test('is credited when two people complete an order', async () => {
    const order = await place()
    await begin()
    await endLeases()
    const word = { orderId: order.orderId, outcome: 'completed' as const, evidence: 'ticket 1' }
    await settleByPeople(desk.db, products, { ...word, person: personNamed('ama') })
    await settleByPeople(desk.db, products, { ...word, person: personNamed('kofi') })
    expect(await commissionOf()).toBe(caller)
  })

  test('leaves one outcome and a recorded contradiction when a success and a failure race', async () => {
    const order = await place()
    const work = await begin()
    const [success, failure] = [await conclude(work, 'delivered'), await conclude(work, 'failed')]
    await Promise.all(Array.from({ length: 32 }, (_, index) => settle(index % 2 === 0 ? success : failure)))
    const status = await statusOf(desk.db, order.orderId)
    expect(['completed', 'refunded']).toContain(status)
    expect(await commissionOf()).toBe(status === 'completed' ? caller : 0)
    const rows = await desk.db.selectFrom('contradictions').select('status').where('order_id', '=', order.orderId).execute()
    expect(rows.length).toBeGreaterThan(0)
  })

  test('is computed from what the supplier reports, where it reports', async () => {
    const order = await place()
    await settle(await conclude(await begin(), 'delivered', 81))
    expect(await earnedBy(order.orderId)).toEqual({ base: 81, caller: 40, platform: 41, source: 'reported' })
    expect(await commissionOf()).toBe(40)
  })

  test('is computed from the report of an earlier answer when the last one has none', async () => {
    const order = await place()
    await settle(await conclude(await begin(), 'accepted', 81))
    await comeDue()
    await settle(await conclude(await begin(), 'delivered'))
    expect(await earnedBy(order.orderId)).toMatchObject({ base: 81, source: 'reported' })
  })

  test('stays as it was credited when the supplier reports another figure later', async () => {
    const order = await place()
    const work = await begin()
    await settle(await conclude(work, 'delivered', 81))
    await settle(await conclude(work, 'delivered', 10))
    expect(await earnedBy(order.orderId)).toMatchObject({ base: 81 })
    expect(await commissionOf()).toBe(40)
  })

  test('is recorded but not credited for a caller without a share', async () => {
    const order = await place({ rateBasisPoints: 300, shareBasisPoints: 0 })
    await settle(await conclude(await begin(), 'delivered'))
    expect(await earnedBy(order.orderId)).toEqual({ base, caller: 0, platform: base, source: 'rate' })
    expect(await commissionOf()).toBe(0)
  })

  test('is not earned by an order that fails', async () => {
    const order = await place()
    await settle(await conclude(await begin(), 'failed', 81))
    expect(await statusOf(desk.db, order.orderId)).toBe('refunded')
    expect(await earnedBy(order.orderId)).toBeUndefined()
    expect(await commissionOf()).toBe(0)
  })

  test('is credited and prices are refunded by racing batches of several accounts without a deadlock', async () => {
    const accounts = [desk.accountId, await makeAccount(desk.db), await makeAccount(desk.db)]
    for (const id of accounts) {
      const recipients = Array.from({ length: 20 }, () => '0240000000')
      await placeTestOrders(desk.db, id, recipients, { pricePesewas: price, details: { commission: terms } })
    }
    const { work } = await desk.plan(60)
    const settlements = await Promise.all(work.map((item, index) => conclude(item, index % 2 === 0 ? 'delivered' : 'failed')))
    const rotated = (by: number) => [...settlements.slice(by), ...settlements.slice(0, by)]
    await Promise.all([0, 7, 19, 30, 41, 55].map((by) => settle(...rotated(by))))
    const balances = await Promise.all(accounts.map((id) => commissionOf(id)))
    expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(30 * caller)
  })
})

describe('the move of commission to the main wallet', () => {
  async function earn(): Promise<void> {
    await place()
    await settle(await conclude(await begin(), 'delivered'))
  }
  const move = (amount: number | 'all', externalId?: string) =>
    inTransaction(desk.db, (tx) =>
      transferCommission(tx, {
        accountId: desk.accountId,
        amount,
        actor: 'test',
        ...(externalId === undefined ? {} : { externalId }),
      }),
    )
  const main = async () => (await readWallet(desk.db, { accountId: desk.accountId, purse: 'main' })).balance

  test('happens once per external id however many race', async () => {
    await earn()
    const before = await main()
    const results = await Promise.all(Array.from({ length: 32 }, () => move(10, 'move-1')))
    expect(results.filter(({ state }) => state === 'moved')).toHaveLength(1)
    expect(results.filter(({ state }) => state === 'replayed')).toHaveLength(31)
    expect(await commissionOf()).toBe(caller - 10)
    expect(await main()).toBe(before + 10)
    expect(await move(11, 'move-1')).toMatchObject({ state: 'refused', why: 'external_id_taken' })
  })

  test('takes no more than the Commission Wallet holds, however many race', async () => {
    await earn()
    const results = await Promise.all(Array.from({ length: 32 }, () => move(10)))
    expect(results.filter(({ state }) => state === 'moved')).toHaveLength(3)
    expect(await commissionOf()).toBe(0)
    expect(await move('all')).toMatchObject({ state: 'refused', why: 'not_enough' })
  })

  test('takes all there is', async () => {
    await earn()
    const before = await main()
    expect(await move('all')).toEqual({ state: 'moved', moved: caller, commission: 0, main: before + caller })
  })
})

describe('the audit of commission', () => {
  class Undo extends Error {}

  async function findingsAfter(damage: ReturnType<typeof sql>): Promise<string[]> {
    let findings: string[] = []
    await desk.database.ownerDb
      .transaction()
      .execute(async (tx) => {
        for (const table of ['order_commissions', 'transfers']) {
          await sql`alter table ${sql.id(table)} disable trigger user`.execute(tx)
        }
        await damage.execute(tx)
        const { checks } = await runAudit(tx, allAuditChecks, { isFull: true })
        findings = Object.keys(checks).filter((name) => checks[name] !== 0)
        throw new Undo()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error
      })
    return findings
  }

  test('finds a missing, a second, a wrong and an ownerless commission', async () => {
    const { orderId } = await place()
    await settle(await conclude(await begin(), 'delivered'))
    expect(await findingsAfter(sql`select 1`)).toEqual([])
    expect(await findingsAfter(sql`delete from order_commissions where order_id = ${orderId}`)).toContain(
      'commission_count_wrong',
    )
    expect(await findingsAfter(sql`delete from transfers where cause_id = ${orderId} and kind = 'commission'`)).toContain(
      'commission_count_wrong',
    )
    expect(
      await findingsAfter(
        sql`update order_commissions set caller = caller + 1, platform = platform - 1 where order_id = ${orderId}`,
      ),
    ).toEqual(['commission_count_wrong', 'commission_differs_from_its_terms'])
    expect(await findingsAfter(sql`delete from orders where id = ${orderId}`)).toContain('commission_without_order')
    expect(
      await findingsAfter(
        sql`insert into commission_moves (id, account_id, amount, actor) values (${orderId}, ${desk.accountId}, 5, 'x')`,
      ),
    ).toEqual(['commission_move_without_its_transfer'])
  })
})
