import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { listRoutes, nameOfRoute } from '../list-routes.fixture.ts'

const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false, hasReplica: true, log }))

const today = new Date().toISOString().slice(0, 10)
/** The query parameters that some lists need. */
const queries: Readonly<Record<string, string>> = {
  '/desk/api/find': '?q=MTN',
  '/app/api/wallet/statement': `?purse=main&month=${today.slice(0, 7)}`,
  '/app/api/wallet/statement.csv': `?purse=main&month=${today.slice(0, 7)}`,
  '/app/api/wallet/statement.pdf': `?purse=main&month=${today.slice(0, 7)}`,
}

/** The lists that are read from the replica. No decision is based on them, because the replica may be behind. */
const readFromReplica = [
  'app/wallet/statement',
  'app/wallet/statement.csv',
  'app/wallet/statement.pdf',
  'desk/accounts',
  'desk/afa',
  'desk/alarms',
  'desk/approvals',
  'desk/business',
  'desk/commission',
  'desk/costs',
  'desk/find',
  'desk/incidents',
  'desk/keys',
  'desk/log',
  'desk/log/actions',
  'desk/log/chains',
  'desk/notices',
  'desk/numbers/ported',
  'desk/numbers/prefixes',
  'desk/order-reports',
  'desk/orders',
  'desk/personal-data/erasures',
  'desk/problems',
  'desk/reconcile/differences',
  'desk/reconcile/open',
  'desk/reports/balances',
  'desk/reports/float',
  'desk/reports/sales',
  'desk/reports/sales.csv',
  'desk/reports/tax',
  'desk/reports/tax.csv',
  'desk/routes',
  'desk/settings',
  'desk/sms/campaigns',
  'desk/staff',
  'desk/suppliers/health',
  'desk/today',
  'desk/top-ups',
  'desk/vouchers',
]

const ageOf = async (browser: TestBrowser, path: string) =>
  (await browser.ask('GET', path)).headers['x-makola-data-age'] as string | undefined

/** Moves the history mark, so that the replica seems to have everything up to this long after the present moment. */
const knowsUntil = (moment: string) =>
  sql`update history_mark set moved_at = clock_timestamp() + ${moment}::interval`.execute(shop.app.database.ownerDb)

let staff: TestBrowser
let member: TestBrowser

beforeAll(async () => {
  await knowsUntil('1 day')
  staff = await createSignedInStaff(shop, 'owner@example.test', 'owner', { hasSecondFactor: false })
  member = await shop.makeMember('ama@example.test')
  for (const browser of [staff, member]) browser.cookies.delete('__Host-makola_changed')
})

test('exactly these are read from the replica, and none of them writes', async () => {
  const paths = (await listRoutes()).filter(({ method, url }) => method === 'GET' && /^\/(?:desk|app)\/api\/[^:]+$/.test(url))
  const fromReplica: string[] = []
  for (const route of paths) {
    const browser = route.url.startsWith('/desk') ? staff : member
    const age = await ageOf(browser, `${route.url}${queries[route.url] ?? ''}`)
    if (age !== undefined) fromReplica.push(nameOfRoute(route).replace(/^GET \/(\w+)\/api/, '$1'))
  }
  // A write fails in the replica's read-only session. The primary is asked then, and a warning is logged.
  expect(logged.filter((line) => line.includes('replica'))).toEqual([])
  // Files whose rows are read while they are sent have no age in their headers, so they are not in the list.
  expect(fromReplica.toSorted()).toEqual(readFromReplica)
})

test('the answer says how old it may be, and a replica that is too far behind is not asked', async () => {
  const ageWhen = async (moment: string) => {
    await knowsUntil(moment)
    return Number(await ageOf(staff, '/desk/api/orders'))
  }
  await expect.poll(() => ageWhen('-5 seconds')).toBeGreaterThanOrEqual(5)
  await expect.poll(() => ageWhen('-1 hour')).toBe(0)
})

test('whoever changed something reads from the primary for as long as the replica may lack it; others do not', async () => {
  const other = await createSignedInStaff(shop, 'other@example.test', 'owner', { hasSecondFactor: false })
  other.cookies.delete('__Host-makola_changed')
  const agesAre = async () => {
    await knowsUntil('-5 seconds')
    return Promise.all([staff, other].map(async (browser) => Number(await ageOf(browser, '/desk/api/orders')) >= 5))
  }
  await expect.poll(agesAre).toEqual([true, true])
  await staff.ask('POST', '/desk/api/confirm', { password: testPassword })
  expect(staff.lastSetCookies.join()).toContain('__Host-makola_changed=1; Max-Age=11; Path=/; HttpOnly; Secure')
  await expect.poll(agesAre).toEqual([false, true])
})
