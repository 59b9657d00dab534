import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { TestBrowser } from '../test/open-browser.ts'
import { waitUntilFarFromEnd } from '../test/running/today-that-lasts.ts'
import { setUpPeople } from '../test/set-up-people.ts'
import { creditWallet } from './money/credit-wallet.ts'
import { transferMany } from './money/transfer-many.ts'
import { listResellerNotices } from './notices/list-reseller-notices.ts'
import { type PlacedOrder, placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import { answerOrderReport } from './orders/order-reports/answer-order-report.ts'
import { listOrderReports } from './orders/order-reports/list-order-reports.ts'
import { watchOrderReports } from './orders/order-reports/watch-order-reports.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { newId } from './platform/database/new-id.ts'
import { products } from './products/products.ts'
import { rollUp } from './reports/roll-up.ts'

const shop = setUpPeople()
const email = 'ama-account@example.test'
let ama: TestBrowser
let kofi: TestBrowser
let accountId: string
let completed: PlacedOrder
let refunded: PlacedOrder
let open: PlacedOrder
let queued: PlacedOrder
let foreign: PlacedOrder

const get = async (path: string) => (await ama.ask('GET', `/app/api${path}`)).body.data
const accountOf = async (address: string): Promise<string> =>
  (await shop.db.selectFrom('accounts').select('id').where('email', '=', address).executeTakeFirstOrThrow()).id
const fund = (id: string, purse: 'main' | 'commission', amount: number) =>
  inTransaction(shop.db, async (tx) => {
    if (purse === 'main') await creditWallet(tx, { accountId: id, purse, amount, actor: 'test' })
    else {
      const transfer = { causeId: newId(), kind: 'commission' as const, accountId: id, fromPurse: 'commission_expense' as const }
      await sql`select from wallets where account_id = ${id} for update`.execute(tx)
      await transferMany(tx, [{ ...transfer, toPurse: 'commission', amount }])
    }
  })

async function place(id: string, recipient: string, more: { pricePesewas?: number; status?: 'queued' } = {}) {
  const [order] = await placeTestOrders(shop.db, id, [recipient], { details: { network: 'MTN', size: '5GB' }, ...more })
  return order!
}

/** Writes an attempt's answer, as the worker does, and ends the order. */
async function end(order: PlacedOrder, answers: readonly [source: string, answer: string][], to: 'completed' | 'failed') {
  const { ownerDb } = shop.app.database
  await sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome)
    values (${order.orderId}, 1, 'datamart', ${newId()}, now(), 'failed')`.execute(ownerDb)
  for (const [source, answer] of answers) {
    await sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence)
      values (${order.orderId}, 1, ${source}, ${answer}, 'SECRET WORDS OF DATAMART')`.execute(ownerDb)
  }
  await sql`delete from open_orders where order_id = ${order.orderId}`.execute(ownerDb)
  const moves = to === 'completed' ? ['processing', 'completed'] : ['processing', 'failed', 'refunded']
  let from = 'pending'
  for (const status of moves) {
    const reason = status === 'failed' ? 'rejected_recipient' : null
    await sql`insert into order_events (order_id, from_status, to_status, reason, actor)
      values (${order.orderId}, ${from}, ${status}, ${reason}, 'worker')`.execute(ownerDb)
    await sql`update orders set status = ${status}, updated_at = clock_timestamp() where id = ${order.orderId}`.execute(ownerDb)
    from = status
  }
  if (to === 'completed') return
  await inTransaction(shop.db, async (tx) => {
    await sql`select from wallets where account_id = ${order.accountId} for update`.execute(tx)
    const refund = { causeId: order.orderId, kind: 'refund' as const, accountId: order.accountId, fromPurse: 'sales' as const }
    await transferMany(tx, [{ ...refund, toPurse: 'main', amount: 790 }])
  })
}

beforeAll(async () => {
  await waitUntilFarFromEnd('day')
  ama = await shop.makeMember(email)
  accountId = await accountOf(email)
  kofi = await shop.makeMember('kofi-account@example.test')
  const other = await accountOf('kofi-account@example.test')
  await fund(accountId, 'main', 10_000)
  await fund(other, 'main', 10_000)
  await fund(accountId, 'commission', 1_250)
  await waitUntilFarFromEnd('hour')
  completed = await place(accountId, '0241234567', { pricePesewas: 1_850 })
  await end(
    completed,
    [
      ['send', 'accepted'],
      ['status', 'accepted'],
      ['status', 'delivered'],
    ],
    'completed',
  ) // prettier-ignore
  refunded = await place(accountId, '0207555901', { pricePesewas: 790 })
  await end(
    refunded,
    [
      ['send', 'unknown'],
      ['status', 'failed'],
    ],
    'failed',
  )
  open = await place(accountId, '0241234567', { pricePesewas: 500 })
  queued = await place(accountId, '0244123917', { status: 'queued', pricePesewas: 500 })
  foreign = await place(other, '0241234567')
  await rollUp(shop.db, products)
})

describe('GET /app/api/home', () => {
  it('answers the whole first screen at once', async () => {
    const home = await get('/home')
    expect(home.purses).toEqual({ main: 71.5, commission: 12.5, sms_credits: 0 })
    expect(home.today).toMatchObject({ sales: 28.5, orders: 3, sales_before: 0, orders_before: 0 })
    expect(home.today.hours.at(-1)).toBe(28.5)
    expect(home.today.hours_before).toHaveLength(24)
    expect(home.week).toMatchObject({ sales: 28.5, sales_before: 0 })
    expect(home.week.days.at(-1).sales).toBe(28.5)
    expect(home.needs.orders).toMatchObject([
      { what: 'queued', count: 1, order: { reference: queued.reference } },
      { what: 'failed', count: 1, order: { reference: refunded.reference } },
    ])
    expect(home.newest.map((order: { reference: string }) => order.reference)).toEqual(
      [queued, open, refunded, completed].map(({ reference }) => reference),
    )
  })

  it('says how long the balance lasts at the present pace, and that it is low', async () => {
    const { pace } = await get('/home')
    // All orders were placed within the last hour. A day at this pace costs more than the wallet holds.
    expect(pace).toMatchObject({ is_low: true, low_balance: null })
    expect(pace.days_left).toBeLessThan(3)
    expect(Date.parse(pace.empty_at)).toBeGreaterThan(Date.now())
  })
})

describe('GET /app/api/orders', () => {
  const references = async (query: string): Promise<string[]> =>
    (await get(`/orders${query}`)).orders.map((order: { reference: string }) => order.reference)

  it('finds by reference, id and phone number in any way of writing it, and never another account’s', async () => {
    expect(await references(`?search=${completed.reference}`)).toEqual([completed.reference])
    expect(await references(`?search=${completed.orderId}`)).toEqual([completed.reference])
    expect(await references(`?search=${encodeURIComponent('+233 24-123-4567')}`)).toEqual([open.reference, completed.reference])
    expect(await references(`?search=${foreign.reference}`)).toEqual([])
    expect((await ama.ask('GET', `/app/api/orders/${foreign.orderId}`)).status).toBe(404)
  })

  it('filters by product, network, state and day', async () => {
    expect(await references('?product=data&network=MTN&status=refunded')).toEqual([refunded.reference])
    expect(await references('?status=queued')).toEqual([queued.reference])
    expect(await references('?to=2020-01-01')).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect(await references(`?from=${today}&to=${today}`)).toHaveLength(4)
    expect((await ama.ask('GET', '/app/api/orders?from=yesterday')).status).toBe(400)
  })

  it('filters the orders that take longer than an hour, as many as Home counts: no registration and no campaign', async () => {
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000)
    vi.useFakeTimers({ toFake: ['Date'], now: twoHoursAgo })
    const slow = await placeTestOrders(shop.db, foreign.accountId, ['0241234567', '0241234568'])
    const afa = await placeTestOrders(shop.db, foreign.accountId, ['0241234567'], { product: 'afa' })
    const sms = await placeTestOrders(shop.db, foreign.accountId, ['0241234567'], { product: 'sms' })
    vi.useRealTimers()
    const ids = [...slow, ...afa, ...sms].map(({ orderId }) => orderId)
    await sql`update orders set created_at = ${twoHoursAgo} where id = any(${ids}::uuid[])`.execute(shop.app.database.ownerDb)
    const found = (await kofi.ask('GET', '/app/api/orders?slow=yes')).body.data.orders
    expect(found.map((order: { reference: string }) => order.reference)).toEqual(
      slow.map(({ reference }) => reference).toReversed(),
    )
    const { needs } = (await kofi.ask('GET', '/app/api/home')).body.data
    expect(needs.orders).toMatchObject([{ what: 'slow', count: 2 }])
    const day = (daysLater: number) => new Date(twoHoursAgo.getTime() + daysLater * 86_400_000).toISOString().slice(0, 10)
    const slowFrom = async (from: string, to: string) =>
      (await kofi.ask('GET', `/app/api/orders?slow=yes&from=${from}&to=${to}`)).body.data.orders
    expect(await slowFrom(day(0), day(0))).toHaveLength(2)
    expect(await slowFrom(day(-5), day(5))).toHaveLength(2)
    expect(await slowFrom(day(-2), day(-1))).toEqual([])
    expect(await slowFrom(day(1), day(2))).toEqual([])
  })

  it('counts 99 orders that wait for registration, and says when there are more', async () => {
    const yaw = await shop.makeMember('yaw-account@example.test')
    const id = await accountOf('yaw-account@example.test')
    await fund(id, 'main', 50_000)
    const queue = (count: number) =>
      placeTestOrders(
        shop.db,
        id,
        Array.from({ length: count }, (_, n) => `02412${String(n).padStart(5, '0')}`),
        { status: 'queued' },
      )
    const needs = async () => (await yaw.ask('GET', '/app/api/home')).body.data.needs.orders
    await queue(99)
    expect(await needs()).toMatchObject([{ what: 'queued', count: 99, is_more: false }])
    await queue(1)
    expect(await needs()).toMatchObject([{ what: 'queued', count: 99, is_more: true }])
  })

  it('gives exactly what is filtered as a file that runs no formula', async () => {
    await sql`update orders set recipient = '=1+1' where id = ${completed.orderId}`.execute(shop.app.database.ownerDb)
    const { body, headers } = await ama.ask('GET', '/app/api/orders.csv?status=completed')
    await sql`update orders set recipient = '0241234567' where id = ${completed.orderId}`.execute(shop.app.database.ownerDb)
    expect(headers['content-type']).toContain('text/csv')
    const lines = String(body).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`${completed.reference},Data,MTN,5GB,'=1+1,18.50,GHS,Delivered`)
  })
})

describe('GET /app/api/orders/{order}', () => {
  it('tells what happened step by step, without a supplier’s name or words', async () => {
    const answer = await ama.ask('GET', `/app/api/orders/${completed.reference}`)
    const { order, steps, may_report: mayReport } = answer.body.data
    expect(order).toMatchObject({ product: 'data', network: 'MTN', variety: '5GB', price: 18.5, status: 'completed' })
    expect(steps.map(({ step }: { step: string }) => step)).toEqual(['paid', 'sent', 'taken', 'asked', 'delivered'])
    expect(steps[3].count).toBe(2)
    expect(mayReport).toBe(true)
    expect(JSON.stringify(answer.body)).not.toMatch(/datamart|secret/i)
    const failed = (await get(`/orders/${refunded.orderId}`)).steps
    expect(failed.map(({ step }: { step: string }) => step)).toEqual(['paid', 'sent', 'no_answer', 'asked', 'failed', 'refunded'])
    expect(failed[4].reason).toBe('The number or account was not accepted.')
  })
})

describe('POST /app/api/orders/{order_id}/report', () => {
  const report = (order: PlacedOrder, reason: string) => ama.ask('POST', `/app/api/orders/${order.orderId}/report`, { reason })
  const alarms = () =>
    shop.db.selectFrom('alarms').selectAll().where('name', '=', 'orders_reported').where('cleared_at', 'is', null).execute()
  const log = { error: () => undefined, info: () => undefined }

  it('stands in the operator’s queue once, asks the supplier, and its answer is told', async () => {
    await sql`update open_orders set next_step_at = now() + interval '1 hour'`.execute(shop.app.database.ownerDb)
    expect((await report(open, 'never came')).status).toBe(200)
    expect((await report(open, 'still not')).body.data.reason).toBe('never came')
    const { rows } = await sql<{ is_due: boolean }>`
      select next_step_at <= clock_timestamp() as is_due from open_orders where order_id = ${open.orderId}`.execute(shop.db)
    expect(rows).toEqual([{ is_due: true }])
    expect(await listOrderReports(shop.db, 10)).toMatchObject([
      { reference: open.reference, reason: 'never came', reportedBy: email, email, statusThen: 'pending' },
    ])
    await watchOrderReports(shop.db, log)
    expect(await alarms()).toHaveLength(1)
    const named = { id: open.orderId, reference: open.reference }
    const answers = await Promise.all(
      ['first', 'second'].map((answer) => answerOrderReport(shop.db, named, { answer, actor: 'kofi' })),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    await watchOrderReports(shop.db, log)
    expect(await alarms()).toEqual([])
    const shown = await get(`/orders/${open.orderId}`)
    expect(shown.report).toMatchObject({ reason: 'never came', answer: expect.stringMatching(/first|second/) as string })
    expect(shown.may_report).toBe(false)
    expect(await listResellerNotices(shop.db, { accountId, limit: 10 })).toMatchObject([{ kind: 'report_answered' }])
  })

  it('409: is refused for an order whose money is back; 404: for another account’s', async () => {
    expect((await report(refunded, '')).status).toBe(409)
    expect((await report(foreign, '')).status).toBe(404)
  })
})

describe('the wallet', () => {
  it('lists entries with the balance before and after each, newest first, through the filters', async () => {
    const { entries, unit } = await get('/wallet/entries?purse=main')
    expect(unit).toBe('GHS')
    expect(entries.map((entry: { kind: string }) => entry.kind)).toEqual([
      'purchase',
      'purchase',
      'refund',
      'purchase',
      'purchase',
      'credit',
    ])
    for (const { balance_before: before, amount, balance_after: after } of entries) {
      expect(Math.round((before + amount) * 100)).toBe(Math.round(after * 100))
    }
    expect(entries[0]).toMatchObject({ balance_after: 71.5, reference: queued.reference, order: queued.orderId })
    expect((await get('/wallet/entries?purse=main&kind=refund')).entries).toMatchObject([
      { amount: 7.9, order: refunded.orderId },
    ])
    expect((await get('/wallet/entries?purse=main&to=2020-01-01')).entries).toEqual([])
    expect((await get('/wallet/entries?purse=main&before=3')).entries).toHaveLength(2)
    const { body } = await ama.ask('GET', '/app/api/wallet/entries.csv?purse=main&kind=refund')
    expect(String(body).trim().split('\r\n')).toHaveLength(2)
  })

  it('gives a month’s statement as a document and as a table', async () => {
    const month = new Date().toISOString().slice(0, 7)
    const pdf = await ama.ask('GET', `/app/api/wallet/statement.pdf?purse=main&month=${month}`)
    expect(String(pdf.body).slice(0, 5)).toBe('%PDF-')
    const csv = String((await ama.ask('GET', `/app/api/wallet/statement.csv?purse=main&month=${month}`)).body)
    expect(csv.trim().split('\r\n').at(-1)).toMatch(/,closing,,,71\.50,GHS,/)
  })

  it('moves commission once per reference, however many ask at a time, and never more than there is', async () => {
    const move = (reference: string, amount: number) =>
      ama.ask('POST', '/app/api/wallet/commission-transfers', { reference, amount })
    const answers = await Promise.all(Array.from({ length: 8 }, () => move('web-12345678', 10)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers[0]?.body.data).toEqual({ transferred: 10, commission: 2.5, balance: 81.5 })
    expect((await move('web-12345678', 9)).status).toBe(409)
    expect((await move('web-22345678', 2.51)).status).toBe(400)
    expect(await get('/wallet')).toEqual({ main: 81.5, commission: 2.5, sms_credits: 0, pending_commission: 0 })
  })
})

describe('notice choices', () => {
  const choose = (body: object) => ama.ask('POST', '/app/api/notices/choices', body)

  it('are kept, and what is muted is not told', async () => {
    const { body } = await choose({
      low_balance: 50,
      phone: '+233 24 123 4567',
      muted: ['report_answered/email', 'business_declined/email'],
    })
    expect(body.data).toMatchObject({ low_balance: 50, phone: '0241234567' })
    const order = { id: completed.orderId, reference: completed.reference }
    await ama.ask('POST', `/app/api/orders/${completed.orderId}/report`, { reason: '' })
    expect(await answerOrderReport(shop.db, order, { answer: 'it came', actor: 'kofi' })).toBe(true)
    expect((await get('/notices')).notices).toMatchObject([{ subject: expect.stringContaining(open.reference) as string }])
  })

  it('400: never leave out mails about keys, nor take a number that is none', async () => {
    expect((await choose({ low_balance: 0, phone: '', muted: ['key_revoked/email'] })).status).toBe(400)
    expect((await choose({ low_balance: 0, phone: '12', muted: [] })).status).toBe(400)
    expect((await choose({ low_balance: 0, phone: '', muted: [] })).body.data).toMatchObject({ low_balance: null, phone: null })
  })
})
