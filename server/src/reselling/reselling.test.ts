import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../../test/open-browser.ts'
import { waitUntilFarFromEnd } from '../../test/running/today-that-lasts.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { placeTestOrders, type TestOrderOptions } from '../orders/intake/place-test-orders.fixture.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'

const shop = setUpPeople()
let ama: TestBrowser
let kofi: TestBrowser
let amasAccount: string
let kofisAccount: string

const accountOf = async (email: string): Promise<string> =>
  (await shop.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

const ask = async (page: TestBrowser, method: string, path: string, body?: unknown) => {
  const answer = await page.ask(method, `/app/api${path}`, body)
  return { status: answer.status, data: answer.body.data, reason: answer.headers['x-error-reason'] }
}

async function place(accountId: string, recipient: string, more: TestOrderOptions = {}) {
  const [order] = await placeTestOrders(shop.db, accountId, [recipient], { details: { network: 'MTN', size: '5GB' }, ...more })
  return order!
}

const setStatus = (orderId: string, status: string) =>
  sql`update orders set status = ${status} where id = ${orderId}`.execute(shop.app.database.ownerDb)

const noRule = { price: null, add: null, percent: null }
const setPrices = (prices: readonly object[], page = ama) =>
  ask(page, 'PUT', '/prices', { prices: prices.map((price) => ({ ...noRule, ...price })) })

beforeAll(async () => {
  await waitUntilFarFromEnd('day')
  ama = await shop.makeMember('ama-reselling@example.test')
  kofi = await shop.makeMember('kofi-reselling@example.test')
  amasAccount = await accountOf('ama-reselling@example.test')
  kofisAccount = await accountOf('kofi-reselling@example.test')
  for (const accountId of [amasAccount, kofisAccount]) {
    await inTransaction(shop.db, (tx) => creditWallet(tx, { accountId, purse: 'main', amount: 50_000, actor: 'test' }))
  }
})

describe('own prices', () => {
  it('say what each order earned by the rule that was in force when it was placed', async () => {
    expect((await ask(ama, 'GET', '/profit')).data).toMatchObject({ is_known: false, customers: [] })
    const before = await place(amasAccount, '0241000001', { pricePesewas: 1_720 })
    await setPrices([
      { product: 'data', item: '', percent: 10 },
      { product: 'data', item: 'MTN 5GB', price: 18.5 },
    ])
    const listed = await place(amasAccount, '233241000001', { pricePesewas: 1_720 })
    const byRule = await place(amasAccount, '0241000002', { pricePesewas: 1_723, details: { network: 'MTN', size: '6GB' } })
    await setPrices([{ product: 'data', item: 'MTN 5GB', price: 20 }])
    const dearer = await place(amasAccount, '0241000001', { pricePesewas: 1_720 })
    await setPrices([{ product: 'data', item: 'MTN 5GB' }])
    const refunded = await place(amasAccount, '0241000002', { pricePesewas: 1_720 })
    await setStatus(refunded.orderId, 'refunded')
    const sale = async ({ orderId }: { orderId: string }) => (await ask(ama, 'GET', `/orders/${orderId}/sale`)).data
    expect(await sale(before)).toEqual({ own_price: null, profit: null, receipt: null })
    expect(await sale(listed)).toMatchObject({ own_price: 18.5, profit: 1.3 })
    // 17.23 and 10 % are 18.953, rounded up to 10 pesewas.
    expect(await sale(byRule)).toMatchObject({ own_price: 19, profit: 1.77 })
    expect(await sale(dearer)).toMatchObject({ own_price: 20, profit: 2.8 })
    const { data: profit } = await ask(ama, 'GET', '/profit')
    expect(profit).toMatchObject({
      is_known: true,
      today: { profit: 5.87, sold: 57.5, orders: 3 },
      week: { profit: 5.87, sold: 57.5, orders: 3 },
    })
    expect(profit.customers).toMatchObject([
      { recipient: '0241000001', name: null, profit: 4.1, orders: 2 },
      { recipient: '0241000002', profit: 1.77, orders: 1 },
    ])
  })

  it('add an amount for each voucher, and a percentage without parts of a pesewa', async () => {
    await setPrices([
      { product: 'results_checker', item: 'WASSCE', add: 1.25 },
      { product: 'airtime', item: 'MTN', percent: 2.5 },
    ])
    const vouchers = await place(amasAccount, '', {
      product: 'results_checker',
      pricePesewas: 3_000,
      details: { typeName: 'WASSCE', quantity: 2 },
    })
    const airtime = await place(amasAccount, '0241000003', {
      product: 'airtime',
      pricePesewas: 1_000,
      details: { network: 'MTN' },
    })
    const sale = async ({ orderId }: { orderId: string }) => (await ask(ama, 'GET', `/orders/${orderId}/sale`)).data
    expect(await sale(vouchers)).toMatchObject({ own_price: 32.5, profit: 2.5 })
    expect(await sale(airtime)).toMatchObject({ own_price: 10.3, profit: 0.3 })
  })

  it('are the account’s alone, and leave every wallet and order as it was', async () => {
    const state = async () =>
      (
        await sql`select (select json_agg(w order by purse) from wallets w where account_id = ${amasAccount}) as wallets,
          (select count(*) from transfers) as transfers, (select sum(price)::bigint from orders) as paid`.execute(shop.db)
      ).rows
    const before = await state()
    await setPrices([{ product: 'data', item: 'MTN 5GB', price: 99 }])
    expect(await state()).toEqual(before)
    expect((await ask(kofi, 'GET', '/prices')).data).toEqual({ prices: [] })
    const order = await place(amasAccount, '0241000001')
    expect((await ask(kofi, 'GET', `/orders/${order.orderId}/sale`)).status).toBe(404)
  })

  it.each([
    [{ product: 'data', item: 'MTN 5GB', price: 1, add: 1 }, 'one rule'],
    [{ product: 'data', item: '', price: 1 }, 'needs an item'],
    [{ product: 'data', item: 'MTN 5GB', price: -1 }, 'below 0'],
    [{ product: 'gold', item: '', add: 1 }, 'no product gold'],
    [{ product: 'data', item: 'MTN 5GB', price: 1.005 }, 'decimal'],
  ])('400: %o is refused', async (price, words) => {
    const answer = await ama.ask('PUT', '/app/api/prices', { prices: [{ ...noRule, ...price }] })
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(words)])
  })

  it('are not so large that what was earned could not be told', async () => {
    const efua = await shop.makeMember('efua-reselling@example.test')
    const accountId = await accountOf('efua-reselling@example.test')
    await inTransaction(shop.db, (tx) => creditWallet(tx, { accountId, purse: 'main', amount: 50_000, actor: 'test' }))
    for (const price of [1_000_000, 80_000_000_000_000]) await setPrices([{ product: 'data', item: 'MTN 5GB', price }], efua)
    const placed = [await place(accountId, '0241000071'), await place(accountId, '0241000072')]
    expect((await ask(efua, 'GET', `/orders/${placed[0]?.orderId}/sale`)).status).toBe(200)
    expect((await ask(efua, 'GET', '/profit')).status).toBe(200)
  })

  it('of one item set by two at once leave one in force', async () => {
    const both = await Promise.all(
      ['1', '2'].map((price) => setPrices([{ product: 'data', item: 'MTN 1GB', price: Number(price) }])),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const { prices } = (await ask(ama, 'GET', '/prices')).data
    expect(prices.filter(({ item }: { item: string }) => item === 'MTN 1GB')).toHaveLength(1)
  })
})

const customer = (name: string, numbers: string[], more: object = {}) => ({
  name,
  numbers,
  note: '',
  is_favourite: false,
  ...more,
})

describe('customers', () => {
  it('come as favourites first, then who bought last, each with the newest order', async () => {
    await ask(ama, 'POST', '/customers', customer('Zoe', ['0241000009']))
    await ask(ama, 'POST', '/customers', customer('Abena', ['+233 24 100 0002', 'g141 234 567'], { note: 'pays on Friday' }))
    await ask(ama, 'POST', '/customers', customer('Yaw', ['0241000008'], { is_favourite: true }))
    const bought = await place(amasAccount, '0241000002', { pricePesewas: 700, details: { network: 'MTN', size: '2GB' } })
    const { customers } = (await ask(ama, 'GET', '/customers')).data
    expect(customers.map(({ name }: { name: string }) => name)).toEqual(['Yaw', 'Abena', 'Zoe'])
    expect(customers[1]).toMatchObject({
      numbers: ['0241000002', 'G141234567'],
      note: 'pays on Friday',
      last: { order_id: bought.orderId, product: 'data', network: 'MTN', variety: '2GB', recipient: '0241000002', price: 7 },
    })
    expect(customers[0].last).toBeNull()
    const found = async (search: string) =>
      (await ask(ama, 'GET', `/customers?search=${encodeURIComponent(search)}`)).data.customers.map(
        ({ name }: { name: string }) => name,
      )
    expect([await found('friday'), await found('024 100 0009'), await found('yA'), await found('nobody')]).toEqual([
      ['Abena'],
      ['Zoe'],
      ['Yaw'],
      [],
    ])
    expect(await found('-')).toEqual([])
    const { again } = (await ask(ama, 'GET', '/home')).data
    expect(again).toHaveLength(new Set(again.map(({ recipient }: { recipient: string }) => recipient)).size)
    expect(again[0]).toMatchObject({ name: 'Abena', recipient: '0241000002', network: 'MTN', variety: '2GB', price: 7 })
    expect((await ask(ama, 'GET', '/profit')).data.customers).toContainEqual(expect.objectContaining({ name: 'Abena' }))
  })

  it('are changed and deleted by their own account alone; a number belongs to one of them', async () => {
    const { customer_id: id } = (await ask(ama, 'POST', '/customers', customer('Esi', ['0241000020']))).data
    expect(await ask(ama, 'POST', '/customers', customer('Other', ['024 100 0020']))).toMatchObject({
      status: 409,
      reason: 'number_taken',
    })
    expect((await ask(ama, 'POST', '/customers', customer('Other', ['12']))).reason).toBe('bad_number')
    expect((await ask(kofi, 'POST', '/customers', customer('Esi', ['0241000020']))).status).toBe(200)
    expect((await ask(kofi, 'PUT', `/customers/${id}`, customer('Stolen', []))).status).toBe(404)
    expect((await ask(kofi, 'GET', `/customers/${id}`)).status).toBe(404)
    await ask(kofi, 'DELETE', `/customers/${id}`)
    expect((await ask(ama, 'PUT', `/customers/${id}`, customer('Esi Badu', ['0241000021', '0241000020']))).status).toBe(200)
    expect((await ask(ama, 'GET', `/customers/${id}`)).data).toMatchObject({
      name: 'Esi Badu',
      numbers: ['0241000021', '0241000020'],
    })
    await ask(ama, 'DELETE', `/customers/${id}`)
    expect((await ask(ama, 'GET', `/customers/${id}`)).status).toBe(404)
  })

  it('go out as CSV and come back from any paste, each number once', async () => {
    const text = [
      'Name,Phone,Note',
      '"Mensah, Ama",0241000030 / 0241000031,"says ""hello"""',
      'Kofi,241000032',
      '0241000033',
      'Nobody',
      'Again,0241000030',
      '',
    ].join('\r\n')
    const importing = (isDryRun: boolean) => ask(kofi, 'POST', '/customer-import', { text, is_dry_run: isDryRun })
    const said = { added: 3, known: 1, wrong_count: 1, wrong: [{ line: 5, given: 'Nobody' }] }
    expect((await importing(true)).data).toEqual(said)
    expect((await ask(kofi, 'GET', '/customers')).data.customers).toHaveLength(1)
    expect((await importing(false)).data).toEqual(said)
    const file = (await kofi.download('/app/api/customers.csv')).bytes.toString()
    expect(file).toContain('"Mensah, Ama",0241000030 0241000031,"says ""hello""",\r\n')
    const again = await ask(kofi, 'POST', '/customer-import', { text: file, is_dry_run: true })
    expect(again.data).toMatchObject({ added: 0, known: 4, wrong_count: 0 })
    expect((await ask(kofi, 'POST', '/customer-import', { text: '"never closed\n0241', is_dry_run: true })).status).toBe(400)
    const { data } = await ask(ama, 'POST', '/customer-import', { text: file, is_dry_run: false })
    expect(data).toMatchObject({ added: 4, wrong_count: 0 })
    expect((await ask(ama, 'GET', '/customers?search=hello')).data.customers).toMatchObject([
      { name: 'Mensah, Ama', numbers: ['0241000030', '0241000031'], note: 'says "hello"' },
    ])
  })

  it('are several where a line has more numbers than one may have, so that each can be changed afterwards', async () => {
    const numbers = Array.from({ length: 21 }, (_, n) => `02410005${String(n).padStart(2, '0')}`)
    const text = `Big family,${numbers.join(' ')}`
    expect((await ask(kofi, 'POST', '/customer-import', { text, is_dry_run: false })).data).toMatchObject({ added: 3, known: 0 })
    const { customers } = (await ask(kofi, 'GET', '/customers?search=big+family')).data
    expect(customers.flatMap((customer: { numbers: string[] }) => customer.numbers).toSorted()).toEqual(numbers)
    for (const { customer_id: id } of customers) {
      const { data } = await ask(kofi, 'GET', `/customers/${id}`)
      expect((await ask(kofi, 'PUT', `/customers/${id}`, data)).status).toBe(200)
    }
  })
})

/** Reads a page as somebody without a session. */
async function visit(path: string, address?: string) {
  const stranger = await shop.browser(address)
  const answer = await stranger.ask('GET', path)
  return { status: answer.status, headers: answer.headers, text: String(answer.body) }
}

describe('a receipt', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const putLogo = (bytes: Buffer) => ama.download('/app/api/shop/logo', { method: 'PUT', type: 'image/png', body: bytes })
  let orderId: string
  let path: string
  const make = (showsNumber: boolean) => ask(ama, 'PUT', `/orders/${orderId}/receipt`, { shows_number: showsNumber })

  beforeAll(async () => {
    await setPrices([{ product: 'data', item: 'MTN 5GB', price: 18.5 }])
    ;({ orderId } = await place(amasAccount, '0245556677', { pricePesewas: 1_723 }))
    await ask(ama, 'PUT', '/shop', { name: '<b>Ama & Sons', phone: '024 999 8888' })
    await putLogo(png)
    ;({ path } = (await make(false)).data.receipt)
  })

  it('shows the shop, the goods, the own price and the state to anybody, and neither the cost nor the number', async () => {
    const page = await visit(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('&lt;b&gt;Ama &amp; Sons')
    for (const shown of ['MTN 5GB', 'GHS 18.50', '024*****77', 'On its way', 'tel:+233249998888', `${path}/logo`]) {
      expect(page.text).toContain(shown)
    }
    for (const hidden of ['17.23', '1723', '0245556677', '555 66', 'ama-reselling', amasAccount, '<script']) {
      expect(page.text).not.toContain(hidden)
    }
    await setStatus(orderId, 'completed')
    expect((await visit(path)).text).toContain('Delivered')
    expect((await visit(path)).text).not.toContain('http-equiv="refresh"')
  })

  it('is kept from search engines, caches, frames and scripts', async () => {
    const { headers } = await visit(path)
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'/)
    const logo = await (await shop.browser()).download(`${path}/logo`)
    expect([logo.status, logo.type, logo.bytes.equals(png)]).toEqual([200, 'image/png', true])
  })

  it('has a link that cannot be guessed, stays the same, and ends when it is taken back or shows something else', async () => {
    expect(path).toMatch(/^\/r\/[\w-]{22}$/)
    expect((await make(false)).data.receipt.path).toBe(path)
    const whole = (await make(true)).data.receipt.path
    expect((await visit(path)).status).toBe(404)
    expect((await visit(whole)).text).toContain('024 555 6677')
    expect((await ask(ama, 'DELETE', `/orders/${orderId}/receipt`)).data.receipt).toBeNull()
    expect((await visit(whole)).status).toBe(404)
    expect((await visit(`${whole}/logo`)).status).toBe(404)
    const race = await Promise.all([make(true), make(true), make(true)])
    expect(race.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(race.map(({ data }) => data.receipt.path)).size).toBe(1)
  })

  it('404: is made and taken back by its own account alone, and no odd link finds one', async () => {
    const working = (await make(true)).data.receipt.path
    expect((await ask(kofi, 'PUT', `/orders/${orderId}/receipt`, { shows_number: true })).status).toBe(404)
    expect((await ask(kofi, 'DELETE', `/orders/${orderId}/receipt`)).status).toBe(404)
    expect((await visit(working)).status).toBe(200)
    for (const odd of ['/r/x', `/r/${newId()}`, `${working}x`, '/r/%00', "/r/'", `/r/${'a'.repeat(65)}`]) {
      expect([odd, (await visit(odd)).status]).toEqual([odd, expect.toSatisfy((status) => status === 404 || status === 400)])
    }
  })

  it('shows no price where the reseller had none', async () => {
    const { orderId: kofis } = await place(kofisAccount, '0245556678', { pricePesewas: 1_723 })
    const { receipt } = (await ask(kofi, 'PUT', `/orders/${kofis}/receipt`, { shows_number: false })).data
    const { text } = await visit(receipt.path)
    expect(text).not.toContain('Price')
    expect(text).not.toContain('17.23')
  })

  it('400: takes no logo but a small PNG or JPEG', async () => {
    expect((await putLogo(Buffer.from('<svg onload=alert(1)>'))).status).toBe(400)
    expect((await putLogo(Buffer.concat([png, Buffer.alloc(131_072)]))).status).toBe(400)
    await ama.ask('DELETE', '/app/api/shop/logo')
    expect((await ama.ask('GET', '/app/api/shop/logo')).status).toBe(404)
  })

  it('429: is answered so often from one address and no more', async () => {
    const stranger = await shop.browser('127.0.0.9')
    const statuses = await Promise.all(Array.from({ length: 130 }, async () => (await stranger.download('/r/none')).status))
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
    expect((await visit('/r/none')).status).toBe(404)
  })
})
