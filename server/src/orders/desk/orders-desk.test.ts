import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../test/create-signed-in-staff.ts'
import { makeAccount } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { patienceSeconds } from '../../../test/patience.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { createMember } from '../../people/manage-people.ts'
import type { StaffRole } from '../../people/permissions/staff-permissions.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { readOperatorLog } from '../../platform/operator-log/read-operator-log.ts'
import { type PlacedOrder, placeTestOrders } from '../intake/place-test-orders.fixture.ts'
import { reportOrder } from '../order-reports/report-order.ts'
import { outgoingReference } from '../outgoing-reference.ts'

const shop = setUpPeople()
let accountId: string
let account: string
let ama: TestBrowser
let kofi: TestBrowser
let esi: TestBrowser
let stuck: PlacedOrder
let sent: PlacedOrder
let failed: PlacedOrder

const signIn = (name: string, role: StaffRole) => createSignedInStaff(shop, `${name}-desk@example.test`, role)

const outgoingOf = ({ orderId }: PlacedOrder): string => outgoingReference(orderId, 'datamart', 1)

/** Writes the rows of an order that was sent to DataMart: no answer, then two look-ups that did not find the order. */
async function send(order: PlacedOrder): Promise<void> {
  const { ownerDb } = shop.app.database
  await sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome, expected_cost)
    values (${order.orderId}, 1, 'datamart', ${outgoingOf(order)}, now(), 'unknown', 420)`.execute(ownerDb)
  for (const [source, answer, evidence] of [
    ['send', 'unknown', 'no answer within 30 s'],
    ['status', 'never_received_early', 'HTTP 404: not found'],
    ['status', 'never_received_early', 'HTTP 404: not found, still'],
  ]) {
    await sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence)
      values (${order.orderId}, 1, ${source}, ${answer}, ${evidence})`.execute(ownerDb)
  }
  await sql`insert into order_events (order_id, from_status, to_status, actor)
    values (${order.orderId}, 'pending', 'processing', 'worker')`.execute(ownerDb)
  await sql`update orders set status = 'processing' where id = ${order.orderId}`.execute(ownerDb)
  await sql`update open_orders set attempt_no = 1, hold_reason = 'no_definitive_answer', next_step_at = now() + interval '1 hour'
    where order_id = ${order.orderId}`.execute(ownerDb)
}

const patience = { timeout: patienceSeconds * 1_000 }

const get = async (path: string, who = ama) => (await who.ask('GET', `/desk/api${path}`)).body.data
const post = (who: TestBrowser, path: string, body?: object) => who.ask('POST', `/desk/api/orders${path}`, body)
const refusalOf = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [status, body.error?.message]
const balance = async () =>
  (
    await shop.db
      .selectFrom('wallets')
      .select('balance')
      .where('account_id', '=', accountId)
      .where('purse', '=', 'main')
      .executeTakeFirstOrThrow()
  ).balance

beforeAll(async () => {
  const { db } = shop
  accountId = (await makeAccount(db, { balancePesewas: 10_000 })).accountId
  account = (await db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()).email
  const placed = await placeTestOrders(db, accountId, ['0244123904', '0244123905', '0201234567'], {
    supplier: 'datamart',
    details: { network: 'MTN', size: '5GB' },
  })
  ;[stuck, sent, failed] = placed as [PlacedOrder, PlacedOrder, PlacedOrder]
  await send(stuck)
  await send(sent)
  await sql`update open_orders set hold_reason = null where order_id = ${sent.orderId}`.execute(shop.app.database.ownerDb)
  await inTransaction(db, async (tx) => {
    await sql`insert into order_events (order_id, from_status, to_status, actor) values (${failed.orderId}, 'pending', 'failed', 'worker')`.execute(
      tx,
    )
    await sql`update orders set status = 'failed' where id = ${failed.orderId}`.execute(tx)
    await sql`delete from open_orders where order_id = ${failed.orderId}`.execute(tx)
  })
  ama = await signIn('ama', 'owner')
  kofi = await signIn('kofi', 'finance')
  esi = await signIn('esi', 'support')
})

describe('the list of orders', () => {
  it('has all of them, newest first, with the account, the cost and why an order does not go on', async () => {
    const { orders, next } = await get('/orders')
    expect(orders.map((order: { order_id: string }) => order.order_id)).toEqual([failed.orderId, sent.orderId, stuck.orderId])
    expect(next).toBeNull()
    expect(orders[0]).toMatchObject({ status: 'failed', why: { code: 'not_refunded' }, is_stuck: false, supplier: null })
    expect(orders[1]).toMatchObject({ why: null, supplier: 'datamart', cost: 4.2, cost_is_estimate: true })
    expect(orders[2]).toMatchObject({ is_stuck: true, why: { code: 'unknown_to_supplier' }, account, variety: '5GB', price: 5 })
  })

  it('and its file hold exactly what the filters say', async () => {
    const { reference } = sent
    const expected: [string, PlacedOrder[]][] = [
      ['only=stuck', [stuck]],
      ['only=held', [stuck]],
      ['only=contradicted', []],
      ['status=processing', [sent, stuck]],
      [`account=${account}&supplier=datamart`, [sent, stuck]],
      ['recipient=%2B233%2024%20412%203904', [stuck]],
      [`reference=${outgoingOf(sent).toUpperCase()}`, [sent]],
      [`reference=${reference}`, [sent]],
      ['product=airtime', []],
      ['from=2099-01-01', []],
      // Unknown fields, with names that we use ourselves.
      [`reference=${reference}&accountId=x&recipients=x&isStuckOnly=true`, [sent]],
      ['ids=x&accountId=x&recipients=x&isHeldOnly=true&status=processing', [sent, stuck]],
    ]
    for (const [filter, orders] of expected) {
      const ids = orders.map(({ orderId }) => orderId)
      const page = await get(`/orders?${filter}`)
      expect([filter, page.orders.map((order: { order_id: string }) => order.order_id)]).toEqual([filter, ids])
      const lines = String((await ama.ask('GET', `/desk/api/orders.csv?${filter}`)).body)
        .trimEnd()
        .split('\r\n')
      expect([filter, lines.slice(1).map((line) => line.split(',')[1])]).toEqual([filter, ids])
    }
    for (const path of ['/orders', '/orders.csv']) {
      const answer = await ama.ask('GET', `/desk/api${path}?account=nobody@example.test`)
      expect(refusalOf(answer)).toEqual([409, 'There is no account nobody@example.test.'])
    }
  })
})

describe('one order', () => {
  it('is found by any reference, and told with the balance, the supplier’s own words and what can be done', async () => {
    const order = await get(`/orders/${outgoingOf(stuck).toUpperCase()}`)
    expect(order.order).toMatchObject({ order_id: stuck.orderId, status: 'processing' })
    expect(order.entries).toMatchObject([{ kind: 'purchase', unit: 'GHS', change: -5, before: 100, after: 95 }])
    expect(order.steps).toMatchObject([
      { step: 'paid' },
      { step: 'sent', supplier: 'datamart', reference: outgoingOf(stuck) },
      { step: 'answered', answer: 'unknown', said: [{ evidence: 'no answer within 30 s' }] },
      { step: 'asked', count: 2, said: [{ evidence: 'HTTP 404: not found' }, { evidence: 'HTTP 404: not found, still' }] },
    ])
    expect(order.can).toEqual({ ask: true, settle: ['completed', 'failed'], refund: false, take_back: false, adjust: false })
    expect((await ama.ask('GET', '/desk/api/orders/nothing')).status).toBe(404)
  })

  it('of a program shows what the program sent, without its secrets', async () => {
    const reseller = await shop.app.makeReseller({ balancePesewas: 10_000 })
    const body = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: 'by-program' }
    expect((await shop.app.call('POST', '/data/purchase', { key: reseller.key, body })).status).toBe(200)
    const { order } = await get('/orders/by-program')
    await expect
      .poll(async () => (await get(`/orders/${order.order_id}/calls`)).calls, patience)
      .toMatchObject([{ method: 'POST', path: '/data/purchase', status: 200 }])
    expect(JSON.parse((await get(`/orders/${order.order_id}/calls`)).request)).toMatchObject({ reference: 'by-program' })
    expect((await ama.ask('GET', `/desk/api/orders/${newId()}/calls`)).status).toBe(404)
  })

  it('is asked about at once, together with others, and an ended one is not', async () => {
    const ids = [sent.orderId, failed.orderId]
    const { body } = await esi.ask('POST', '/desk/api/ask-orders', { order_ids: ids })
    expect(body.data).toEqual({ asked: [sent.orderId], not_asked: [failed.orderId] })
    const open = await shop.db
      .selectFrom('open_orders')
      .select('next_step_at')
      .where('order_id', '=', sent.orderId)
      .executeTakeFirstOrThrow()
    expect(open.next_step_at.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
  })

  it('is settled by two people: the first one is refused as the second, and the money comes back once', async () => {
    const path = `/${stuck.orderId}/settle`
    const before = await balance()
    const proposed = (await post(ama, path, { outcome: 'failed', evidence: 'ticket 4711' })).body.data
    expect(proposed).toMatchObject({ state: 'proposed' })
    const word = { approval_id: proposed.approval_id, evidence: 'read the ticket' }
    expect(refusalOf(await post(ama, `${path}/confirm`, word))).toEqual([
      409,
      'ama-desk@example.test proposed it: a second person confirms.',
    ])
    expect((await get(`/orders/${stuck.orderId}`)).proposals).toMatchObject([{ state: 'pending', is_own: true }])
    expect((await get(`/orders/${stuck.orderId}`, kofi)).proposals).toMatchObject([{ is_own: false, outcome: 'failed' }])
    expect((await post(kofi, `/${stuck.orderId}/adjust/confirm`, word)).status).toBe(404)
    expect((await post(kofi, `${path}/confirm`, word)).body.data).toMatchObject({ state: 'done' })
    expect(refusalOf(await post(kofi, `${path}/confirm`, word))[0]).toBe(409)
    expect(await balance()).toBe(before + 500)
    const after = await get(`/orders/${stuck.orderId}`)
    expect(after).toMatchObject({ order: { status: 'refunded' }, can: { ask: false, settle: [], adjust: true } })
    const [line] = await readOperatorLog(shop.db, { limit: 1 })
    expect(line).toMatchObject({ action: 'order settle confirm', details: { note: 'read the ticket', before: 'processing' } })
  })

  it('that failed is refunded once, by those who may move money, and what cannot be done is said without a command', async () => {
    const path = `/${failed.orderId}/refund`
    const before = await balance()
    const waiting = async () =>
      (await kofi.ask('GET', '/desk/api/needs')).body.data.needs as { name: string; lines: { text: string; path: string }[] }[]
    expect((await waiting()).find(({ name }) => name === 'refunds')?.lines).toMatchObject([
      {
        text: expect.stringMatching(`${failed.reference} of .* failed: GHS 5.00 has not gone back.`),
        path: `/orders/${failed.orderId}`,
      },
    ])
    expect((await post(esi, path)).status).toBe(403)
    const answers = await Promise.all([post(kofi, path), post(kofi, path), post(kofi, path)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    expect(await balance()).toBe(before + 500)
    expect(refusalOf(await post(kofi, path))).toEqual([409, `Order ${failed.reference} is refunded already.`])
    expect((await waiting()).map(({ name }) => name)).not.toContain('refunds')
    const take = await post(kofi, `/${sent.orderId}/take-back`, { evidence: 'typed twice' })
    expect(take.body.error.message).not.toMatch(/makola|`/)
    expect((await post(kofi, `/${failed.orderId}/adjust`, { amount: 0.001, evidence: 'e' })).status).toBe(400)
    await mustPassAudit(shop.db)
  })

  it('is adjusted once per reference, and neither adjusted nor its report answered by whoever owns the order', async () => {
    const before = await balance()
    const adjust = (who: TestBrowser, reference: string, amount = 2) =>
      post(who, `/${failed.orderId}/adjust`, { amount, evidence: 'late', reference })
    const [first, again] = await Promise.all([adjust(ama, 'page-of-ama-1'), adjust(ama, 'page-of-ama-1')])
    expect(again.body.data).toEqual(first.body.data)
    const { approval_id } = first.body.data
    expect((await adjust(kofi, 'page-of-kofi-1')).body.data).toEqual({ state: 'same_waits', approval_id })
    const word = { approval_id, evidence: 'read it' }
    expect((await post(kofi, `/${failed.orderId}/adjust/confirm`, word)).body.data).toMatchObject({ state: 'done' })
    expect((await adjust(ama, 'page-of-ama-1')).body.data).toEqual(first.body.data)
    expect((await adjust(ama, 'page-of-ama-1', 1)).status).toBe(409)
    expect(await balance()).toBe(before + 200)
    await inTransaction(shop.db, (tx) =>
      createMember(tx, {
        email: 'kofi-desk@example.test',
        passwordHash: undefined,
        account: accountId,
        role: 'owner',
        actor: 't',
      }),
    )
    const acts = ['refund', 'settle', 'take-back', 'adjust', 'adjust/confirm', 'adjust/refuse', 'answer-report']
    const bodies: Record<string, object> = {
      settle: { outcome: 'failed', evidence: 'e' },
      'take-back': { evidence: 'e' },
      'answer-report': { answer: 'It arrived.', found: 'delivered' },
      adjust: { amount: 1, evidence: 'e', reference: 'page-of-kofi-2' },
    }
    for (const act of acts) {
      const body = act.includes('/') ? { approval_id: first.body.data.approval_id, evidence: 'e' } : bodies[act]
      const { status, headers } = await post(kofi, `/${failed.orderId}/${act}`, body)
      expect([act, status, headers['x-error-reason']]).toEqual([act, 403, 'own_account'])
    }
    await shop.db.deleteFrom('members').where('account_id', '=', accountId).execute()
  })

  it('that was reported waits among the reports until somebody answers what was found', async () => {
    const order = { id: sent.orderId, accountId, status: 'processing' as const }
    await reportOrder(shop.db, order, { reason: 'nothing came', actor: 'reseller@example.test' })
    expect(await get('/order-reports')).toMatchObject({
      reports: [{ order_id: sent.orderId, reason: 'nothing came', answer: null }],
    })
    const answer = { answer: 'Delivered at 09:14, says the network.', found: 'delivered' }
    expect((await post(esi, `/${sent.orderId}/answer-report`, answer)).status).toBe(200)
    expect(refusalOf(await post(esi, `/${sent.orderId}/answer-report`, answer))).toEqual([
      409,
      `No report of order ${sent.reference} waits for an answer.`,
    ])
    expect((await get('/order-reports')).reports).toEqual([])
    const { reports } = await get('/order-reports?state=answered')
    expect(reports).toMatchObject([{ found: 'delivered', answered_by: 'esi-desk@example.test' }])
    expect((await get(`/orders/${sent.orderId}`)).messages).toMatchObject([{ kind: 'report_answered', channel: 'email' }])
  })
})
