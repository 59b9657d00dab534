import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personNamed } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { rateLimitsSetting } from '../../all-settings.ts'
import { runAudit } from '../../money/audit.ts'
import type { CourtesySms } from '../../notices/message-transports.ts'
import { sendCourtesyNotices } from '../../notices/send-courtesy-notices.ts'
import { refundByPerson } from '../../orders/manual/refund-by-person.ts'
import { settleByPeople } from '../../orders/manual/settle-by-people.ts'
import { takeBackByPeople } from '../../orders/manual/take-back-by-people.ts'
import { readOrderHistory } from '../../orders/queries/read-order-history.ts'
import { moveOrders } from '../../orders/settlement/move-orders.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { products } from '../products.ts'
import { createVoucherNotices } from './compose-voucher-notice.ts'
import { resultsCheckerFacts } from './results-checker.kind.ts'
import { resultsCheckerEnabled } from './results-checker.settings.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'

let app: TestApp
let keys: SecretsKeys
let references = 0

beforeAll(async () => {
  app = await startTestApp()
  keys = await keysOf(app)
  await writeSetting(app.database.db, rateLimitsSetting, { 'POST /resultschecker/purchase': 10_000 }, 'test')
  await app.untilSeen()
})
afterAll(async () => {
  await mustPassAudit(app.database.db)
  await app.close()
})

const balance = async (key: string): Promise<number> => (await app.call('GET', '/wallet/balance', { key })).body.data.balance
const recall = (key: string, reference: string) => app.call('GET', `/resultschecker/orders/${reference}`, { key })
const purchase = (key: string, body: object) =>
  retryWhileOverloaded(() => app.call('POST', '/resultschecker/purchase', { key, body }))

/** An agent with GHS 1,000 buys all vouchers of a type except one. */
async function bought(more: { quantity?: number; recipientPhone?: string } = {}) {
  const { quantity = 2 } = more
  const { typeId } = await stockVouchers(app.database.db, keys, quantity + 1)
  const { key, accountId } = await app.makeReseller()
  const body = { typeId, ...more, quantity, reference: `take-back-${++references}` }
  const { status, body: answer } = await purchase(key, body)
  expect(status).toBe(200)
  const { order, vouchers } = answer.data
  return { key, accountId, body, reference: body.reference, orderId: order.id as string, order, vouchers, typeId }
}

const say = (orderId: string, by: string, evidence = `${by} asked the council`) =>
  takeBackByPeople(app.database.db, products, { orderId, evidence, person: personNamed(by) })
async function takenBack(more: Parameters<typeof bought>[0] = {}) {
  const sale = await bought(more)
  expect(await say(sale.orderId, 'ama')).toMatchObject({ state: 'proposed', order: { status: 'completed' } })
  expect(await say(sale.orderId, 'kofi')).toMatchObject({ state: 'settled', order: { status: 'refunded' } })
  return sale
}
const refundsOf = async (orderId: string) => {
  const { rows } = await sql<{ amount: number }>`
    select amount from transfers where cause_id = ${orderId} and kind = 'refund'`.execute(app.database.db)
  return rows.map(({ amount }) => amount)
}

describe('F5: an order of vouchers that an operator takes back', () => {
  it('is refunded in list, recall and replay, with the same vouchers and no new charge', async () => {
    const { key, body, reference, order, vouchers } = await takenBack()
    const refunded = { ...order, status: 'refunded' }
    expect((await app.call('GET', '/resultschecker/orders', { key })).body.data.orders).toEqual([refunded])
    expect((await recall(key, reference)).body.data).toEqual({ order: refunded, vouchers })
    const replay = await purchase(key, body)
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(replay.body.data).toEqual({ order: refunded, vouchers, new_balance: 1_000 })
    expect(await balance(key)).toBe(1_000)
    expect((await purchase(key, { ...body, quantity: 1 })).status).toBe(409)
  })

  it('keeps its vouchers for ever: they are not counted as stock, and the next buyer gets others', async () => {
    const { key, typeId, vouchers, reference } = await takenBack()
    const { body } = await app.call('GET', '/resultschecker/types', { key })
    expect(body.data.types.find((type: { type_id: string }) => type.type_id === typeId)).toMatchObject({ available_count: 1 })
    const next = await purchase(key, { typeId, quantity: 1, reference: `${reference}-next` })
    expect(vouchers.map(({ pin }: { pin: string }) => pin)).not.toContain(next.body.data.vouchers[0].pin)
    expect((await purchase(key, { typeId, quantity: 1, reference: `${reference}-none` })).status).toBe(400)
  })

  it('gives the price back once, by the one refund of the order, and tells who did it and why', async () => {
    const { orderId, reference } = await takenBack()
    expect(await refundsOf(orderId)).toEqual([3_500])
    const history = await readOrderHistory(app.database.db, products, reference)
    expect(history?.events).toMatchObject([
      { from: 'completed', to: 'refunded', actor: 'ama and kofi', reason: 'taken back by two people' },
    ])
    expect(history?.proposals).toMatchObject([
      { outcome: 'refunded', evidence: 'ama asked the council', proposedBy: 'ama', confirmedBy: 'kofi' },
    ])
    const log = await app.database.db
      .selectFrom('operator_log')
      .select(['actor', 'action', 'details'])
      .where('subject', '=', reference)
      .orderBy('id')
      .execute()
    expect(log).toMatchObject([
      { actor: 'ama', action: 'order take-back propose', details: { reason: 'ama asked the council', before: 'completed' } },
      { actor: 'kofi', action: 'order take-back confirm', details: { note: 'kofi asked the council', order_id: orderId } },
    ])
  })

  it('takes two people: the same one again, however written, only corrects the evidence', async () => {
    const { key, orderId, reference } = await bought()
    await say(orderId, 'ama')
    expect(await say(orderId, 'ama', 'ticket 4711')).toMatchObject({ state: 'proposed' })
    expect(await say(orderId, 'Ama', 'ticket 4712')).toMatchObject({ state: 'proposed', order: { status: 'completed' } })
    expect(await balance(key)).toBe(965)
    const history = await readOrderHistory(app.database.db, products, reference)
    expect(history?.proposals).toMatchObject([
      { evidence: 'ama asked the council', proposedBy: 'ama', state: 'refused' },
      { evidence: 'ticket 4711', proposedBy: 'ama', state: 'refused', note: expect.stringContaining('replaced') as string },
      { evidence: 'ticket 4712', proposedBy: 'Ama', state: 'pending', confirmedBy: null },
    ])
    expect(await say(orderId, 'kofi')).toMatchObject({ state: 'settled' })
  })

  it('cannot be taken back again, nor settled or refunded another way', async () => {
    const { orderId, key } = await bought()
    expect(
      await settleByPeople(app.database.db, products, { orderId, outcome: 'failed', evidence: 'e', person: personNamed('ama') }),
    ).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('two people can take it back') as string,
      command: expect.stringContaining('`makola order take-back`') as string,
    })
    await say(orderId, 'ama')
    const settled = await say(orderId, 'kofi')
    if (settled.state !== 'settled') throw new Error('it was not taken back')
    for (const by of ['ama', 'kofi', 'esi']) {
      expect(await say(orderId, by)).toMatchObject({
        state: 'refused',
        why: expect.stringContaining('refunded already') as string,
      })
    }
    expect(await refundByPerson(app.database.db, resultsCheckerFacts, settled.order, 'ama')).toBe(false)
    expect(
      await settleByPeople(app.database.db, products, { orderId, outcome: 'failed', evidence: 'e', person: personNamed('ama') }),
    ).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('final') as string,
    })
    expect(await balance(key)).toBe(1_000)
  })

  it('never concerns another kind of order, nor a process', async () => {
    const { key } = await app.makeReseller()
    const reference = `take-back-${++references}`
    const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }
    const { body } = await app.call('POST', '/data/purchase', { key, body: bundle })
    const orderId = body.data.order_id as string
    for (const status of ['pending', 'completed', 'failed', 'refunded', 'cancelled']) {
      await sql`update orders set status = ${status} where id = ${orderId}`.execute(app.database.db)
      expect(await say(orderId, 'ama')).toMatchObject({ state: 'refused' })
    }
    await sql`update orders set status = 'pending' where id = ${orderId}`.execute(app.database.db)
    expect(await say(newId(), 'ama')).toMatchObject({ state: 'refused', why: 'There is no such order.' })
    const sale = await bought()
    await expect(
      inTransaction(app.database.db, (tx) =>
        moveOrders(tx, 'completed', 'refunded', 'worker', [{ orderId: sale.orderId, reason: null }]),
      ),
    ).rejects.toThrow('no order moves from completed to refunded')
  })

  it('can be taken back while the sale is switched off and its buyer is suspended', async () => {
    const { orderId, accountId } = await bought()
    await writeSetting(app.database.db, resultsCheckerEnabled, false, 'test')
    await sql`update accounts set status = 'suspended' where id = ${accountId}`.execute(app.database.db)
    await say(orderId, 'ama')
    expect(await say(orderId, 'kofi')).toMatchObject({ state: 'settled' })
    await writeSetting(app.database.db, resultsCheckerEnabled, true, 'test')
    await app.untilSeen()
    expect(await refundsOf(orderId)).toEqual([3_500])
  })

  it('leaves a courtesy copy that is sent as it is, and does not send one that has not left yet', async () => {
    const sent: CourtesySms[] = []
    const sms = { sendSms: async (one: CourtesySms) => (sent.push(one), { outcome: 'sent' as const }) }
    const compose = createVoucherNotices(app.database.db, keys)
    const deps = { db: app.database.db, log: pino({ level: 'silent' }), compose, mailServer: undefined, sms }
    const early = await bought({ recipientPhone: '0201000001' })
    await sendCourtesyNotices(deps)
    await say(early.orderId, 'ama')
    await say(early.orderId, 'kofi')
    const late = await takenBack({ recipientPhone: '0201000002' })
    await sendCourtesyNotices(deps)
    expect(sent.map(({ to }) => to)).toEqual(['0201000001'])
    const { rows } = await sql<{ order_id: string; state: string }>`
      select order_id, state from courtesy_notices where order_id = any(${[early.orderId, late.orderId]}::uuid[])
      order by order_id`.execute(app.database.db)
    expect(rows).toEqual([
      { order_id: early.orderId, state: 'sent' },
      { order_id: late.orderId, state: 'undelivered' },
    ])
  })
})

describe('F5 under concurrency', () => {
  it('64 people who confirm at once refund it once', async () => {
    const { orderId, key } = await bought()
    await say(orderId, 'ama')
    const results = await Promise.all(Array.from({ length: 64 }, (_, index) => say(orderId, `person ${index}`)))
    expect(results.filter(({ state }) => state === 'settled')).toHaveLength(1)
    expect(results.filter(({ state }) => state === 'refused')).toHaveLength(63)
    expect(await refundsOf(orderId)).toEqual([3_500])
    expect(await balance(key)).toBe(1_000)
  })

  it('64 people who say it at once, none first, are one proposal, one confirmation and one refund', async () => {
    const { orderId, key } = await bought()
    const results = await Promise.all(Array.from({ length: 64 }, (_, index) => say(orderId, `person ${index}`)))
    const counts = Object.fromEntries(
      Map.groupBy(results, ({ state }) => state)
        .entries()
        .map(([state, same]) => [state, same.length]),
    )
    expect(counts).toEqual({ proposed: 1, settled: 1, refused: 62 })
    expect(await balance(key)).toBe(1_000)
  })

  it('purchases of the same wallet that race with taking back lose and win no money', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 40)
    const { key } = await app.makeReseller({ balancePesewas: 17_500 })
    const buyOne = () => purchase(key, { typeId, quantity: 1, reference: `take-back-${++references}` })
    const first = await Promise.all(Array.from({ length: 10 }, buyOne))
    expect(await balance(key)).toBe(0)
    const ids = first.map(({ body }) => body.data.order.id as string)
    await Promise.all(ids.map((orderId) => say(orderId, 'ama')))
    const [, ...second] = await Promise.all([
      Promise.all(ids.flatMap((orderId) => [say(orderId, 'kofi'), say(orderId, 'esi')])),
      ...Array.from({ length: 20 }, buyOne),
    ])
    const accepted = second.filter(({ status }) => status === 200).length
    expect(new Set(second.map(({ status }) => status)).difference(new Set([200, 400])).size).toBe(0)
    expect(await balance(key)).toBe(175 - accepted * 17.5)
    expect((await Promise.all(ids.map(refundsOf))).flat()).toEqual(ids.map(() => 1_750))
  })
})

describe('the audit of orders taken back', () => {
  class Undo extends Error {}

  /** Damages rows as the tables' owner, runs the full audit, and repairs the rows. */
  async function findingsAfter(...damage: RawBuilder<unknown>[]): Promise<string[]> {
    const findings: string[] = []
    await app.database.ownerDb
      .transaction()
      .execute(async (tx) => {
        for (const step of damage) await step.execute(tx)
        const { checks } = await runAudit(tx, allAuditChecks, { isFull: true })
        findings.push(...Object.keys(checks).filter((name) => checks[name] !== 0))
        throw new Undo()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error
      })
    return findings
  }

  const proposalOf = (orderId: string) => sql`approvals where key = ${orderId}`

  it('finds nothing in one that two people took back', async () => {
    await takenBack()
    expect(await findingsAfter()).toEqual([])
  })

  it('finds one without a proposal, with an unconfirmed one, with one of another outcome, or signed by one person only', async () => {
    const { orderId } = await takenBack()
    const found = ['taken_back_without_two_people']
    const free = sql`alter table approvals disable trigger user`
    expect(await findingsAfter(free, sql`delete from ${proposalOf(orderId)}`)).toEqual(found)
    const change = (set: RawBuilder<unknown>) => sql`update approvals set ${set} where key = ${orderId}`
    const pending = sql`state = 'pending', decided_by = null, decided_at = null`
    expect(await findingsAfter(free, change(pending))).toEqual(found)
    expect(await findingsAfter(free, change(sql`kind = 'order settle'`))).toEqual(found)
    expect(
      await findingsAfter(
        free,
        sql`alter table approvals drop constraint approvals_take_two_people`,
        change(sql`decided_by = proposed_by`),
      ),
    ).toEqual(found)
  })

  it('finds a confirmed one that stayed completed, and its refund', async () => {
    const { orderId } = await takenBack()
    expect(await findingsAfter(sql`update orders set status = 'completed' where id = ${orderId}`)).toEqual([
      'refund_of_an_order_that_is_not_refunded',
      'completed_with_refund',
      'taken_back_without_two_people',
      'status_differs_from_its_history',
    ])
  })

  it('finds one whose vouchers went back into stock', async () => {
    const { orderId } = await takenBack()
    const free = [
      sql`alter table vouchers disable trigger vouchers_stay_sold`,
      sql`update vouchers set order_id = null, sold_at = null where order_id = ${orderId}`,
    ]
    expect(await findingsAfter(...free)).toEqual(['order_quantity_differs_from_its_vouchers', 'voucher_count_differs_from_stock'])
  })

  it('finds an order of another kind that left a final state', async () => {
    const { orderId } = await takenBack()
    const found = await findingsAfter(sql`update orders set kind = 'airtime' where id = ${orderId}`)
    expect(found).toContain('moved_out_of_a_final_state')
    const backAgain = sql`insert into order_events (order_id, from_status, to_status, actor)
      values (${orderId}, 'refunded', 'refunded', 'nobody')`
    expect(await findingsAfter(backAgain)).toEqual(['moved_out_of_a_final_state'])
  })
})
