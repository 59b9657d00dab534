import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { patienceSeconds } from '../../test/patience.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { repeatableNumbers } from '../platform/repeatable-numbers.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { products } from '../products/products.ts'
import { leaveUncounted } from '../reports/leave-uncounted.fixture.ts'
import { addDays } from '../reports/period.ts'
import { randomSale, writeSales } from '../reports/random-sales.fixture.ts'
import { groupings } from '../reports/read-sales.ts'
import { taxRates } from '../reports/reports.settings.ts'
import { rollUp } from '../reports/roll-up.ts'
import { queueDueReports } from '../reports/schedules/queue-due-reports.ts'
import { countSupplierHours } from '../reports/suppliers/count-supplier-hours.ts'

const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
const email = 'ama-uncounted@example.test'
const today = await readTodayThatLasts()
const day = (daysAgo: number) => addDays(today, -daysAgo)
/** The first counted day when the days are counted in part. */
const countedFrom = day(4)
/** The only day without a sale. */
const quietDaysAgo = 2
const oldestDaysAgo = 70

let ama: TestBrowser
let finance: TestBrowser
let accountId: string

const desk = async (path: string) => (await finance.ask('GET', `/desk/api${path}`)).body.data
const csv = async (path: string) => String((await finance.ask('GET', `/desk/api${path}`)).body)
const sales = (by: string, from = day(9), to = today) => desk(`/reports/sales?from=${from}&to=${to}&by=${by}`)

beforeAll(async () => {
  ama = await shop.makeMember(email)
  finance = await createSignedInStaff(shop, 'finance@desk.test', 'finance', { hasSecondFactor: false })
  const account = await shop.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  accountId = account.id
  await writeSetting(shop.db, taxRates, [{ name: 'Levy', percent: 10, on: 'net_sales' }], 'test')
  const random = repeatableNumbers(1)
  /** A sale of GHS 10.00 at the beginning of a day, delivered by datamart for GHS 7.00. */
  const saleOf = (daysAgo: number) => {
    const placedAt = new Date(`${day(daysAgo)}T00:00:00Z`)
    const sale = randomSale(random, [accountId], placedAt, placedAt)
    const attempt = { id: sale.id, supplier: 'datamart', outcome: 'delivered', expected: 700, reported: [] }
    const end = { status: 'completed' as const, at: placedAt }
    const details = { network: 'MTN', size: '1GB' }
    const none = { refund: undefined, commission: undefined, adjustment: undefined }
    return { ...sale, kind: 'data', details, role: 'agent', price: 1_000, placedAt, end, attempts: [attempt], ...none }
  }
  const days = Array.from({ length: oldestDaysAgo + 1 }, (_, daysAgo) => daysAgo).filter((ago) => ago !== quietDaysAgo)
  await writeSales(shop.db, days.map(saleOf))
})

const states = {
  none: () => leaveUncounted(shop.db),
  part: () => leaveUncounted(shop.db, countedFrom),
  all: () => Promise.resolve(),
}
type State = keyof typeof states

const nothing = (count: number) => Array.from({ length: count }, () => null)
const tens = (count: number) => Array.from({ length: count }, () => 10)

type Report = {
  readonly name: string
  readonly read: () => Promise<unknown>
  readonly shows: Readonly<Record<State, unknown>>
}

/** The figures of each report about the last ten days, with sales of GHS 90.00 on nine of them. */
const reports: readonly Report[] = [
  ...groupings.map((by) => ({
    name: `the total of sales by ${by}`,
    read: async () => {
      const { total, counted_from: from } = await sales(by)
      return [total.sales, total.orders, total.margin, total.counted, from]
    },
    shows: {
      none: [null, null, null, 'none', null],
      part: [40, 4, 12, 'part', countedFrom],
      all: [90, 9, 27, 'all', null],
    },
  })),
  ...groupings.map((by) => ({
    name: `the sales by ${by} of the time before`,
    read: async () => {
      const { rows, before } = await sales(by)
      // A line of a day, week or month has an earlier time of its own, which may be without sales, so it is not checked here.
      const ofLines = rows.map((row: { before: { sales: number } }) => row.before.sales)
      return [before.total.sales, before.total.counted, ['day', 'week', 'month'].includes(by) || ofLines.every(Boolean)]
    },
    shows: {
      none: [null, 'none', true],
      part: [null, 'none', ['day', 'week', 'month'].includes(by)],
      all: [100, 'all', true],
    },
  })),
  ...(['product', 'network', 'package', 'supplier', 'account', 'role'] as const).map((by) => ({
    name: `the lines of sales by ${by}`,
    read: async () =>
      (await sales(by)).rows.map((row: { sales: number; counted: string; before: { sales: number } }) => [
        row.sales,
        row.counted,
        row.before.sales,
      ]),
    shows: { none: [], part: [[40, 'part', null]], all: [[90, 'all', 100]] },
  })),
  {
    name: 'the lines of sales by day',
    read: async () => (await sales('day')).rows.map((row: { sales: number }) => row.sales),
    shows: { none: nothing(10), part: [...nothing(5), 10, 10, 0, 10, 10], all: [...tens(7), 0, 10, 10] },
  },
  {
    name: 'the lines of sales by day beside days that are counted in part',
    read: async () => {
      const { rows, before } = await sales('day', day(2))
      return [before.total.sales, rows.map((row: { before: { sales: number } }) => row.before.sales)]
    },
    shows: { none: [null, nothing(3)], part: [null, [null, 10, 10]], all: [30, tens(3)] },
  },
  {
    name: 'the lines of sales by month',
    read: async () => {
      const { rows } = await sales('month', day(65))
      const counted = rows.map((row: { counted: string }) => row.counted)
      return [counted[0], counted.at(-1), rows[0].sales === null]
    },
    shows: {
      none: ['none', 'none', true],
      part: ['none', today.slice(0, 7) === countedFrom.slice(0, 7) && !countedFrom.endsWith('-01') ? 'part' : 'all', true],
      all: ['all', 'all', false],
    },
  },
  {
    name: 'the file of sales',
    read: async () => {
      const [, ...lines] = (await csv(`/reports/sales.csv?from=${day(9)}&to=${today}&by=day`)).trim().split('\r\n')
      const cells = lines.map((line) => line.split(','))
      return [cells.map((line) => line[5]), cells.at(-1)?.at(-1)]
    },
    shows: {
      none: [Array.from({ length: 11 }, () => ''), 'none'],
      part: [['', '', '', '', '', '10.00', '10.00', '0.00', '10.00', '10.00', '40.00'], 'part'],
      all: [['10.00', '10.00', '10.00', '10.00', '10.00', '10.00', '10.00', '0.00', '10.00', '10.00', '90.00'], 'all'],
    },
  },
  {
    name: 'the taxes',
    read: async () => {
      const { rows, total, counted_from: from } = await desk(`/reports/tax?from=${day(9)}&to=${today}`)
      return [rows[0].base, rows[0].tax, total.tax, total.counted, from]
    },
    shows: {
      none: [null, null, null, 'none', null],
      part: [40, 4, 4, 'part', countedFrom],
      all: [90, 9, 9, 'all', null],
    },
  },
  {
    name: 'the file of taxes',
    read: async () => (await csv(`/reports/tax.csv?from=${day(9)}&to=${today}`)).trim().split('\r\n')[1],
    shows: {
      none: 'Levy,10,net_sales,false,,,false,none',
      part: 'Levy,10,net_sales,false,40.00,4.00,false,part',
      all: 'Levy,10,net_sales,false,90.00,9.00,false,all',
    },
  },
  {
    name: 'what the orders of a supplier cost a day',
    read: async () => {
      const { rows, counted, counted_from: from } = await desk('/reports/float')
      const { cost_per_day: cost } = rows.find(({ key }: { key: string }) => key === 'datamart')
      return [cost === null, counted, from]
    },
    shows: { none: [true, 'none', null], part: [false, 'part', countedFrom], all: [false, 'all', null] },
  },
  {
    name: 'what the orders of a supplier cost an hour, before any hour is counted and after',
    read: async () => {
      const readPace = async () => (await desk('/suppliers/health')).floats[0].per_hour
      await sql`delete from supplier_hours`.execute(shop.db)
      await sql`delete from supplier_hours_counted`.execute(shop.db)
      const before = await readPace()
      while ((await countSupplierHours(shop.db)) > 0);
      return [before, await readPace()]
    },
    shows: { none: [null, 0], part: [null, 0], all: [null, 0] },
  },
  {
    name: 'what is owed at the end of a day, which needs no counted days',
    read: async () => (await desk(`/reports/balances?at=${day(60)}`)).total.owed,
    shows: { none: -110, part: -110, all: -110 },
  },
  {
    name: 'the list of accounts',
    read: async () => {
      const { accounts } = await desk(`/accounts?search=${encodeURIComponent(email)}`)
      return [accounts[0].sales, accounts[0].sales_counted_from]
    },
    shows: { none: [null, null], part: [40, countedFrom], all: [290, null] },
  },
  {
    name: 'an account',
    read: async () => {
      const { sales: sold, orders, days, sales_counted_from: from } = await desk(`/accounts/${accountId}`)
      return [sold, orders, from, days.slice(-6).map((each: { sales: number }) => each.sales)]
    },
    shows: {
      none: [null, null, null, nothing(6)],
      part: [40, 4, countedFrom, [null, 10, 10, 0, 10, 10]],
      all: [290, 29, null, [10, 10, 10, 0, 10, 10]],
    },
  },
  {
    name: 'the week of a reseller',
    read: async () => {
      const { days, ...week } = (await ama.ask('GET', '/app/api/home')).body.data.week
      return [days.map((each: { sales: number }) => each.sales), week.sales, week.sales_before, week.counted_from]
    },
    shows: {
      none: [nothing(7), null, null, null],
      part: [[null, null, 10, 10, 0, 10, 10], 40, null, countedFrom],
      all: [[10, 10, 10, 10, 0, 10, 10], 60, 70, null],
    },
  },
]

/** The figures of Today after sales of GHS 10.00 today, and as much a week ago. */
const todayShows: Report['shows'] = {
  none: [null, null, null, null, null, []],
  part: [10, 3, null, null, countedFrom, [null]],
  all: [10, 3, 10, 3, null, [10]],
}

async function readToday() {
  const { figures, figures_before: before, networks, counted_from: from } = await desk('/today')
  const ofNetworks = networks.map((network: { before: { sales: number } }) => network.before.sales)
  return [figures.sales, figures.margin, before.sales, before.margin, from, ofNetworks]
}

describe.each(Object.keys(states) as State[])('where of the days %s are counted,', (state) => {
  beforeAll(async () => {
    while (!(await rollUp(shop.db, products)).isComplete);
    await states[state]()
  })

  it.each(reports)('$name says so', async ({ read, shows }) => {
    expect(await read()).toEqual(shows[state])
  })

  // All desks share one read of Today for some seconds, so the test waits for the next read.
  it('today says so', async () => {
    await expect.poll(readToday, { timeout: patienceSeconds * 1_000 }).toEqual(todayShows[state])
  })

  it('a report by e-mail leaves only when all of its days are counted', async () => {
    await shop.db.deleteFrom('report_schedules').execute()
    await finance.ask('POST', '/desk/api/report-schedules', { report: 'sales', by: 'day', every: 'month', hour: 6 })
    await shop.db.updateTable('report_schedules').set({ next_at: new Date() }).execute()
    const queued: string[] = []
    await queueDueReports(shop.db, (_tx, { lastDay }) => Promise.resolve(void queued.push(lastDay)))
    expect(queued).toHaveLength(state === 'all' ? 1 : 0)
  })
})
