import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { setUpPeople } from '../../test/set-up-people.ts'

const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
let finance: TestBrowser
let support: TestBrowser

beforeAll(async () => {
  finance = await createSignedInStaff(shop, 'finance@desk.test', 'finance', { hasSecondFactor: false })
  support = await createSignedInStaff(shop, 'support@desk.test', 'support', { hasSecondFactor: false })
})

const fee = { product: 'top_ups', key: 'paystack', amount: 0.0255, percent: 1.95, note: 'Contract' }
const countCosts = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from unit_costs`.execute(shop.db)
  return rows[0]?.count
}

it('keeps a cost with who entered it, from a day on, in the list and in the history', async () => {
  const entered = await finance.ask('POST', '/desk/api/costs', { ...fee, from: '2026-10-01' })
  expect(entered.status).toBe(200)
  const shown = {
    product: 'top_ups',
    key: 'paystack',
    amount: 0.0255,
    percent: 1.95,
    valid_from: '2026-10-01T00:00:00.000Z',
    note: 'Contract',
  }
  expect(entered.body.data).toMatchObject(shown)
  const { costs, history } = (await finance.ask('GET', '/desk/api/costs')).body.data
  expect(costs.find(({ key }: { key: string }) => key === 'paystack')).toMatchObject(shown)
  expect(history[0]).toMatchObject({ ...shown, entered_by: expect.stringContaining('finance@desk.test') })
})

it.each([
  ['a product that has none', { ...fee, product: 'data' }, 409],
  ['a key that nobody knows', { ...fee, key: 'nobody' }, 409],
  ['a percentage where none is charged', { ...fee, product: 'afa', key: '' }, 409],
  ['an amount below 0', { ...fee, amount: -1 }, 400],
  ['more decimals than are kept', { ...fee, amount: 0.1234567 }, 400],
  ['a day that is none', { ...fee, from: '2026-13-01' }, 400],
])('refuses %s and keeps nothing', async (_what, body, status) => {
  const before = await countCosts()
  expect((await finance.ask('POST', '/desk/api/costs', body)).status).toBe(status)
  expect(await countCosts()).toBe(before)
})

it('lets nobody enter one who may not manage money', async () => {
  const before = await countCosts()
  expect((await support.ask('POST', '/desk/api/costs', fee)).status).toBe(403)
  expect(await countCosts()).toBe(before)
})
