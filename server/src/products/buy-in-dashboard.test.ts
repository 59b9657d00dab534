import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../../test/make-account.ts'
import { mustPassAudit } from '../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { writeCommissionPlan } from '../money/write-commission-plan.ts'
import { hashPersonPassword } from '../people/auth/hash-password.ts'
import { createMember } from '../people/manage-people.ts'
import { raiseCatalogueVersion } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { afaFees } from './afa/afa.settings.ts'
import { keysOf, stockVouchers } from './results-checker/stock-vouchers.fixture.ts'

const shop = setUpPeople()
let accountId: string
let personId: string
let browser: TestBrowser
let references = 0
const newReference = () => `web-${++references}`

/** A buyer of an account with GHS 100, signed in. */
beforeEach(async () => {
  ;({ accountId } = await makeAccount(shop.db, { balancePesewas: 10_000 }))
  const email = `buyer-${accountId}@example.test`
  const passwordHash = await hashPersonPassword(testPassword)
  ;({ personId } = await inTransaction(shop.db, (tx) =>
    createMember(tx, { email, passwordHash, account: accountId, role: 'buyer', actor: 'test' }),
  ))
  browser = await shop.browser()
  await browser.ask('POST', '/app/api/sign-in', { email, password: testPassword })
  await shop.db.deleteFrom('rate_limits').execute()
})

const post = (path: string, body: unknown) => browser.ask('POST', `/app/api${path}`, body)
const read = async (path: string) => (await browser.ask('GET', `/app/api${path}`)).body.data
const orders = () =>
  shop.db
    .selectFrom('orders')
    .leftJoin('orders_of_persons', 'order_id', 'orders.id')
    .select(['reference', 'source', 'price', 'person_id'])
    .where('account_id', '=', accountId)
    .execute()
const bundle = (recipient: string, more: object = {}) => ({
  network: 'MTN',
  volume_gb: 5,
  recipient,
  reference: newReference(),
  price: 26,
  ...more,
})

const line = (recipient: string, more: object = {}) => ({ recipient, network: 'MTN', volume_gb: 5, ...more })
const airtime = (beneficiary_phone: string, amount: number) => {
  return { network: 'MTN', beneficiary_phone, amount, reference: newReference() }
}
const buyByProgram = async (body: object, buyer = accountId) => {
  const key = await makeKeyFor(shop.db, buyer)
  await shop.app.untilSeen()
  return shop.app.call('POST', '/data/purchase', { key, body })
}

const applicant = {
  full_name: 'Ama Mensah',
  phone: '0241234567',
  id_type: 'Ghana Card',
  id_number: 'GHA-123456789-0',
  date_of_birth: '1990-05-17',
  region: 'Ashanti',
  location: 'Kumasi',
}

describe('bundles in the dashboard', () => {
  it('are listed at the prices of the account’s role, with its balance', async () => {
    const { packages, ...rest } = await read('/data')
    const { prefixes, ...shown } = rest
    expect(shown).toEqual({ is_on: true, balance: 100, networks: ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime'] })
    expect(prefixes).toContainEqual({ prefix: '024', networks: ['MTN'] })
    expect(prefixes).toContainEqual({ prefix: '027', networks: ['AT-iShare', 'AT-BigTime'] })
    expect(packages).toContainEqual(expect.objectContaining({ network: 'MTN', volume_gb: 5, price: 26 }))
  })

  it('are checked line by line, and a check buys nothing', async () => {
    const { body } = await post('/data/check', {
      lines: [
        line('+233 24 123-4567'),
        line('020 755 5901'),
        line('024123456'),
        line('02412345678'),
        line('ama'),
        line('0241234567'),
        line('0241234567', { is_repeat_meant: true }),
        line('0551234567', { volume_gb: 7 }),
      ],
    })
    const fields = ['recipient', 'state', 'digits', 'networks', 'price', 'reason']
    const told = body.data.lines.map((checked: Record<string, unknown>) => fields.map((field) => checked[field]))
    expect(told).toEqual([
      ['0241234567', 'ready', 10, ['MTN'], 26, null],
      ['0207555901', 'refused', 10, ['Telecel'], null, 'prefix_mismatch'],
      ['024123456', 'too_short', 9, [], null, null],
      ['02412345678', 'too_long', 11, [], null, null],
      ['ama', 'no_number', 0, [], null, null],
      ['0241234567', 'twice', 10, ['MTN'], null, null],
      ['0241234567', 'ready', 10, ['MTN'], 26, null],
      ['0551234567', 'refused', 10, ['MTN'], null, 'package_not_found'],
    ])
    expect(body.data).toMatchObject({ ready: 2, total: 52, balance: 100, balance_after: 48, missing: 0, commission: 0 })
    expect(await orders()).toEqual([])
  })

  it('are checked with the exact sum that the wallet is short of, never with a balance below 0', async () => {
    const lines = ['0241234567', '0241234568', '0241234569', '0241234560'].map((recipient) => line(recipient))
    expect((await post('/data/check', { lines })).body.data).toMatchObject({ total: 104, balance_after: null, missing: 4 })
  })

  it('are bought at the same price as over the API, by a person whom the order knows', async () => {
    const wanted = bundle('0241234567')
    const { status, body } = await post('/data/purchase', { orders: [wanted, bundle('0551234567')] })
    expect([status, body.data]).toMatchObject([200, { orders_placed: 2, total_cost: 52, new_balance: 48, skipped: [] }])
    expect(body.data.orders[0]).toMatchObject({ status: 'pending', price: 26, source: 'dashboard' })
    const byProgram = await buyByProgram(bundle('0241234567', { reference: 'by-api' }))
    expect(byProgram.body.data).toMatchObject({ price: 26, source: 'api', new_balance: 22 })
    expect((await orders()).map(({ source, person_id }) => [source, person_id])).toEqual([
      ['dashboard', personId],
      ['dashboard', personId],
      ['api', null],
    ])
    await mustPassAudit(shop.db)
  })

  it('are the same order when the same reference comes again, and 409 with another body, from wherever it comes', async () => {
    const wanted = bundle('0241234567')
    const both = await Promise.all([1, 2].map(() => post('/data/purchase', { orders: [wanted] })))
    const ids = both.map(({ body }) => body.data.orders[0].order_id)
    expect(new Set(ids).size).toBe(1)
    const again = await post('/data/purchase', { orders: [wanted] })
    expect(again.headers['idempotent-replayed']).toBe('true')
    const replayed = [{ order_id: ids[0], already_processed: true }]
    expect(again.body.data).toMatchObject({ total_cost: 0, new_balance: 74, orders: replayed })
    const byProgram = await buyByProgram(wanted)
    expect(byProgram.body.data.order_id).toBe(ids[0])
    expect((await post('/data/purchase', { orders: [{ ...wanted, volume_gb: 1 }] })).status).toBe(409)
    expect(await orders()).toHaveLength(1)
  })

  it('have their states read together, and never those of another account', async () => {
    const { body } = await post('/data/purchase', { orders: [bundle('0241234567'), bundle('0551234567')] })
    const order_ids = body.data.orders.map(({ order_id }: { order_id: string }) => order_id)
    const states = order_ids.map((order_id: string, index: number) => {
      return { order_id, status: 'pending', recipient: ['0241234567', '0551234567'][index] }
    })
    const asked = await post('/orders/states', { order_ids })
    expect(asked.body.data.orders).toHaveLength(2)
    expect(asked.body.data.orders).toEqual(expect.arrayContaining(states))
    const other = await makeAccount(shop.db, { balancePesewas: 10_000 })
    const theirs = await buyByProgram(bundle('0241234567'), other.accountId)
    const mixed = [theirs.body.data.order_id, order_ids[1]]
    expect((await post('/orders/states', { order_ids: mixed })).body.data.orders).toEqual([states[1]])
    const references = [theirs.body.data.reference, body.data.orders[0].reference, 'web-nothing']
    expect((await post('/orders/states', { order_ids: [], references })).body.data.orders).toEqual([states[0]])
    const bill = { biller: 'dstv', account: '7023456789', amount: 20, reference: newReference() }
    const paid = (await post('/bills/pay', bill)).body.data
    const found = await post('/orders/states', { order_ids: [], references: [bill.reference] })
    expect(found.body.data.orders).toEqual([{ order_id: paid.order_id, status: 'pending', recipient: '7023456789' }])
  })

  it('are bought all or none: the wallet that is too small for all buys none', async () => {
    const many = ['0241234567', '0241234568', '0241234569', '0241234560'].map((number) => bundle(number))
    const { status, headers } = await post('/data/purchase', { orders: many })
    expect([status, headers['x-error-reason']]).toEqual([400, 'insufficient_funds'])
    expect(await orders()).toEqual([])
  })
})

describe('the same again within the hour', () => {
  const check = async (path: string, ...lines: object[]) => (await post(path, { lines })).body.data
  const statesOf = ({ lines }: { lines: { state: string }[] }) => lines.map(({ state }) => state)
  /** Moves the order's time back by so many minutes. */
  const placedAgo = async (orderId: string, minutes: number) =>
    sql`update orders set created_at = created_at - make_interval(mins => ${minutes}) where id = ${orderId}`.execute(
      shop.app.database.ownerDb,
    )

  it('is asked about, whoever of the account bought it, in the browser or by a program', async () => {
    const { body } = await post('/data/purchase', { orders: [bundle('0241234567')] })
    await placedAgo(body.data.orders[0].order_id, 6)
    const byProgram = await buyByProgram(bundle('0551234567'))
    for (const path of ['/data/check', '/data/check-registrations']) {
      const checked = await check(path, line('+233 24 123 4567'), line('0551234567'), line('0241234567', { volume_gb: 1 }))
      expect(statesOf(checked)).toEqual(['bought', 'bought', 'ready'])
      expect(checked).toMatchObject({
        ready: 1,
        lines: [
          { price: null, same: { order_id: body.data.orders[0].order_id, status: 'pending', minutes_ago: 6 } },
          { price: null, same: { order_id: byProgram.body.data.order_id, minutes_ago: 0 } },
          { same: null },
        ],
      })
    }
    const meant = await check('/data/check', line('0241234567', { is_repeat_meant: true }), line('0241234567'))
    expect(statesOf(meant)).toEqual(['ready', 'twice'])
    expect(meant.lines[0].same).toMatchObject({ minutes_ago: 6 })
  })

  it('is not asked about after an hour, after a refund, or because of another account', async () => {
    const numbers = ['0241234567', '0241234568', '0241234569']
    const { body } = await post('/data/purchase', { orders: numbers.map((number) => bundle(number)) })
    const [old, refunded] = body.data.orders.map(({ order_id }: { order_id: string }) => order_id)
    await placedAgo(old, 61)
    const setStatus = (status: string) => sql`update orders set status = ${status} where id = ${refunded}`.execute(shop.db)
    await setStatus('refunded')
    const other = await makeAccount(shop.db, { balancePesewas: 10_000 })
    await buyByProgram(bundle('0551234567'), other.accountId)
    const checked = await check('/data/check', ...[...numbers, '0551234567'].map((number) => line(number)))
    await setStatus('pending')
    expect(statesOf(checked)).toEqual(['ready', 'ready', 'bought', 'ready'])
  })

  it('holds for airtime of the same amount and for a bill of the same amount', async () => {
    await post('/airtime/purchase', { orders: [airtime('0241234567', 5)] })
    const lines = [5, 6].map((amount) => ({ recipient: '0241234567', amount }))
    expect(statesOf(await check('/airtime/check', ...lines))).toEqual(['bought', 'ready'])
    const bill = { biller: 'dstv', account: '7023456789', amount: 20 }
    await post('/bills/pay', { ...bill, reference: newReference() })
    expect((await post('/bills/check', bill)).body.data.same).toMatchObject({ status: 'pending', minutes_ago: 0 })
    expect((await post('/bills/check', { ...bill, amount: 21 })).body.data.same).toBeNull()
  })

  it('finds a line’s network by its number, where the line names none', async () => {
    const lines = ['0201234567', '0241234567'].map((recipient) => line(recipient, { network: undefined }))
    const checked = await check('/data/check', ...lines)
    expect(checked.lines.map(({ network }: { network: string }) => network)).toEqual(['Telecel', 'MTN'])
  })
})

describe('the price that a person was shown', () => {
  const balance = async () => (await read('/wallet')).main as number

  async function raisePrice(pesewas: number): Promise<void> {
    await sql`update packages set price_agent = price_agent + ${pesewas} where network = 'MTN' and volume_gb = 5`.execute(shop.db)
    await raiseCatalogueVersion(shop.db)
  }

  it('409: buys no bundle of a batch at another one, names the new one, and leaves a replay a replay', async () => {
    const placed = bundle('0241234567')
    expect((await post('/data/purchase', { orders: [placed] })).status).toBe(200)
    await raisePrice(600)
    try {
      const refused = await post('/data/purchase', { orders: [bundle('0551234567', { price: 32 }), bundle('0241234568')] })
      expect([refused.status, refused.headers['x-error-reason']]).toEqual([409, 'price_changed'])
      expect(refused.body.error.message).toMatch(/^orders\[1\]: The price is now GHS 32\.00/)
      expect(await balance()).toBe(74)
      const again = await post('/data/purchase', { orders: [placed] })
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
      expect((await post('/data/purchase', { orders: [bundle('0241234568', { price: 32 })] })).status).toBe(200)
      const without = await post('/data/purchase', { orders: [bundle('0241234569', { price: undefined })] })
      expect([without.status, without.body.error.message]).toEqual([400, expect.stringContaining('price')])
      // The API for programs has no field `price`, so it ignores the price in this body.
      const byProgram = await buyByProgram(bundle('0241234560', { price: 1 }))
      expect([byProgram.status, byProgram.body.data.price]).toEqual([200, 32])
    } finally {
      await raisePrice(-600)
    }
    await mustPassAudit(shop.db)
  })

  it('409: sells no voucher and takes no registration at another one', async () => {
    const { typeId } = await stockVouchers(shop.db, await keysOf(shop.app), 3, { name: 'BECE' })
    const vouchers = { typeId, quantity: 2, reference: newReference(), price: 17.5 }
    const refused = await post('/vouchers/purchase', vouchers)
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('now GHS 35.00')])
    expect((await post('/vouchers/purchase', { ...vouchers, price: 35 })).status).toBe(200)
    expect((await post('/vouchers/purchase', vouchers)).headers['idempotent-replayed']).toBe('true')
    await writeSetting(shop.db, afaFees.agent, 15, 'test')
    const asked = { ...applicant, reference: newReference(), price: 12 }
    const tooCheap = await post('/afa/register', asked)
    expect([tooCheap.status, tooCheap.body.error.message]).toEqual([409, expect.stringContaining('now GHS 15.00')])
    expect(await read('/afa')).toMatchObject({ fee: 15, balance: 65 })
    expect((await post('/afa/register', { ...asked, price: 15 })).status).toBe(200)
    await writeSetting(shop.db, afaFees.agent, 12, 'test')
    expect(await balance()).toBe(50)
    await mustPassAudit(shop.db)
  })
})

describe('airtime in the dashboard', () => {
  it('is checked with the network that the number is on, within the bounds', async () => {
    expect((await read('/airtime')).networks[0]).toEqual({ network: 'MTN', is_available: true, min_amount: 1, max_amount: 100 })
    const { body } = await post('/airtime/check', {
      lines: [
        { recipient: '020 755 5901', amount: 5 },
        { recipient: '0241234567', amount: 0.5 },
        { recipient: '0999999999', amount: 5 },
      ],
    })
    expect(body.data).toMatchObject({ ready: 1, total: 5, balance_after: 95 })
    expect(body.data.lines.map(({ state, network, reason }: Record<string, unknown>) => [state, network, reason])).toEqual([
      ['ready', 'Telecel', null],
      ['refused', 'MTN', 'invalid_request'],
      ['no_network', null, null],
    ])
  })

  it('is bought line by line: what is refused leaves the others alone, and a repeat charges nothing', async () => {
    const asked = { orders: [airtime('0241234567', 5), airtime('0207555901', 5), airtime('0551234567', 10)] }
    const { body } = await post('/airtime/purchase', asked)
    const told = (data: { results: { order: { order_id: string } | null; refusal: { reason: string } | null }[] }) =>
      data.results.map(({ order, refusal }) => order?.order_id ?? refusal?.reason)
    expect(body.data.results.map(({ reference }: { reference: string }) => reference)).toEqual(
      asked.orders.map(({ reference }) => reference),
    )
    expect(told(body.data)[1]).toBe('prefix_mismatch')
    expect(body.data.new_balance).toBe(85)
    expect(told((await post('/airtime/purchase', asked)).body.data)).toEqual(told(body.data))
    expect((await orders()).map(({ source, price }) => [source, price])).toEqual([
      ['dashboard', 500],
      ['dashboard', 1_000],
    ])
  })
})

describe('bills in the dashboard', () => {
  it('are paid once under one reference, from the wallet of the account', async () => {
    expect(await read('/bills')).toMatchObject({ min_amount: 1, max_amount: 1_000, balance: 100 })
    const asked = { biller: 'dstv', account: '7023456789', amount: 20, reference: newReference() }
    const paid = (await post('/bills/pay', asked)).body.data
    expect(paid).toMatchObject({ biller: 'dstv', amount: 20, new_balance: 80 })
    expect((await post('/bills/pay', asked)).body.data).toMatchObject({ order_id: paid.order_id, already_processed: true })
    expect(await orders()).toMatchObject([{ source: 'dashboard', person_id: personId }])
  })

  it('are checked before they are paid: what would be left, what is missing, and the commission of the role', async () => {
    await inTransaction(shop.db, (tx) =>
      writeCommissionPlan(tx, {
        rates: [
          { product: 'utilities', network: 'dstv', rateBasisPoints: 155 },
          { product: 'airtime', network: 'MTN', rateBasisPoints: 333 },
        ],
        shares: ['utilities', 'airtime'].map((product) => ({ product, role: 'agent', shareBasisPoints: 5_000 })),
      }),
    )
    await shop.app.untilSeen()
    const bill = { biller: 'dstv', account: '7023456789', amount: 20.5 }
    // 1.55 % of GHS 20.50 is 31.775 pesewas, and half of the 31 is 15.
    const { body } = await post('/bills/check', bill)
    expect(body.data).toEqual({ total: 20.5, balance: 100, balance_after: 79.5, missing: 0, commission: 0.15, same: null })
    const tooMuch = await post('/bills/check', { ...bill, amount: 100.01 })
    expect(tooMuch.body.data).toMatchObject({ balance_after: null, missing: 0.01 })
    expect((await post('/bills/check', { ...bill, amount: 1_001 })).status).toBe(400)
    const lines = [{ recipient: '0241234567', amount: 7 }]
    // 3.33 % of GHS 7.00 is 23.31 pesewas, and half of the 23 is 11.
    expect((await post('/airtime/check', { lines })).body.data).toMatchObject({ commission: 0.11 })
    expect(await orders()).toEqual([])
    await post('/bills/pay', { ...bill, reference: newReference() })
    expect(await read('/wallet')).toMatchObject({ main: 79.5, commission: 0, pending_commission: 0.15 })
  })

  it('say when the biller cannot be asked whose account it is', async () => {
    expect((await browser.ask('GET', '/app/api/bills/account?biller=dstv&account=7023456789')).status).toBe(502)
  })
})

describe('vouchers in the dashboard', () => {
  it('come back with the purchase, and the same ones with its repeat', async () => {
    const { typeId, name } = await stockVouchers(shop.db, await keysOf(shop.app), 3)
    const { types, ...rest } = await read('/vouchers')
    expect(rest).toEqual({ is_on: true, max_quantity: null, balance: 100 })
    expect(types).toContainEqual({ type_id: typeId, name, price: 17.5, available_count: 3, is_active: true })
    const asked = { typeId, quantity: 2, reference: newReference(), price: 35 }
    const { data } = (await post('/vouchers/purchase', asked)).body
    expect(data).toMatchObject({ order: { quantity: 2, total_paid: 35 }, new_balance: 65 })
    expect((await post('/vouchers/purchase', asked)).body.data.vouchers).toEqual(data.vouchers)
    expect((await read('/vouchers')).types[0]).toMatchObject({ available_count: 1 })
  })
})

describe('AFA in the dashboard', () => {
  it('takes the fee of the role; a repeat is refused, and the order is found by its reference', async () => {
    expect(await read('/afa')).toMatchObject({ is_on: true, fee: 12, balance: 100 })
    const asked = { ...applicant, reference: newReference(), price: 12 }
    const { data } = (await post('/afa/register', asked)).body
    expect(data).toMatchObject({ status: 'pending', new_balance: 88 })
    expect((await post('/afa/register', asked)).status).toBe(409)
    const found = await read(`/afa/orders/${asked.reference}`)
    expect(found).toEqual({ id: data.order_id, reference: asked.reference, status: 'pending' })
    expect(await orders()).toHaveLength(1)
  })

  it('counts requests by account and minute, beside those of its keys', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 31; count += 1) statuses.push((await post('/afa/register', {})).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429])
    const key = await makeKeyFor(shop.db, accountId)
    await shop.app.untilSeen()
    expect((await shop.app.call('POST', '/afa/register', { key, body: {} })).status).toBe(400)
  })
})
