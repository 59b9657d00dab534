import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../test/create-signed-in-staff.ts'
import { makeAccount } from '../../../test/make-account.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { readTodayThatLasts } from '../../../test/running/today-that-lasts.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { sendPersonMails } from '../../people/mails/send-person-mails.ts'
import { wholeShare } from '../../platform/housekeeping/background-share.ts'
import { repeatableNumbers } from '../../platform/repeatable-numbers.ts'
import { products } from '../../products/products.ts'
import { composeReportOf, reportTimers } from '../../timers/report-timers.ts'
import { addDays } from '../period.ts'
import { randomSale, writeSales } from '../random-sales.fixture.ts'
import { readSales } from '../read-sales.ts'
import { rollUp } from '../roll-up.ts'
import { viewSales } from '../view/view-sales.ts'

const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
const email = 'finance@desk.test'
const today = await readTodayThatLasts()
const yesterday = addDays(today, -1)
let browser: TestBrowser

beforeAll(async () => {
  browser = await createSignedInStaff(shop, email, 'finance', { hasSecondFactor: false })
  const random = repeatableNumbers(20_261_122)
  const { accountId } = await makeAccount(shop.db, { balancePesewas: 10_000 })
  const from = new Date(`${addDays(today, -20)}T00:00:00Z`)
  await writeSales(
    shop.db,
    Array.from({ length: 200 }, () => randomSale(random, [accountId], from, new Date())),
  )
  for (let times = 0; times < 3; times += 1) await rollUp(shop.db, products)
})

const ask = (path: string) => browser.ask('GET', `/desk/api${path}`)
const csv = async (path: string) => {
  const { body } = await ask(path)
  return String(body)
}

describe('the reports of the desk', () => {
  it('are those of the command line, to the pesewa', async () => {
    const period = { from: addDays(today, -6), to: today }
    const shown = (await ask(`/reports/sales?from=${period.from}&to=${period.to}&by=network`)).body.data
    const report = viewSales(await readSales(shop.db, period, 'network'))
    expect({ ...shown, as_of: null }).toEqual({ ...JSON.parse(JSON.stringify(report)), as_of: null })
    expect(shown.total.orders).toBeGreaterThan(0)
  })

  it('are files too, with the same lines', async () => {
    const { rows } = (await ask('/reports/sales?by=product')).body.data
    const lines = (await csv('/reports/sales.csv?by=product')).trim().split('\r\n')
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(rows.map(({ key }: { key: string }) => key))
    expect(await csv('/reports/tax.csv')).toBeDefined()
  })

  it('refuse days that stand the wrong way round, and more than three years', async () => {
    expect((await ask(`/reports/sales?from=${today}&to=${yesterday}`)).status).toBe(400)
    expect((await ask('/reports/tax?from=2020-01-01&to=2026-01-01')).status).toBe(400)
    expect((await ask('/reports/sales?from=yesterday')).status).toBe(400)
  })

  it('say what is owed at the end of a day, and now', async () => {
    const now = (await ask('/reports/balances')).body.data
    const then = (await ask(`/reports/balances?at=${addDays(today, -30)}`)).body.data
    expect(now.total.owed).toBe(100)
    expect(then.total.owed).toBe(0)
    expect(then.at).toBe(`${addDays(today, -30)}T23:59:59.999Z`)
    const soFar = (await ask(`/reports/balances?at=${today}`)).body.data
    expect(new Date(soFar.at).getTime()).toBeLessThanOrEqual(Date.now())
  })
})

/** Does the worker's work for reports by e-mail. */
async function sendDue(): Promise<void> {
  const timer = reportTimers({ db: shop.db, auditDb: shop.db, share: wholeShare }, products).find(
    ({ name }) => name === 'report mails',
  )
  await timer?.run()
  await sendPersonMails({
    ...shop.people,
    log: pino({ level: 'silent' }),
    mailServer: undefined,
    isKeeping: true,
    composeReport: composeReportOf(shop.db),
  })
}

const mails = async () => (await shop.mailsTo(email)).filter(({ subject }) => subject.startsWith('Sales'))
const makeDue = () => sql`update report_schedules set next_at = now()`.execute(shop.db)

describe('a report by e-mail', () => {
  it('comes once after its day has ended, with its lines, and to whoever asked for it', async () => {
    const made = await browser.ask('POST', '/desk/api/report-schedules', {
      report: 'sales',
      by: 'network',
      every: 'day',
      hour: 6,
    })
    expect(made.body.data.schedules).toMatchObject([{ report: 'sales', by: 'network', every: 'day', hour: 6, sent_for: null }])
    expect(new Date(made.body.data.schedules[0].next_at).getTime()).toBeGreaterThan(Date.now())
    await sendDue()
    expect(await mails()).toEqual([])
    await makeDue()
    await Promise.all([sendDue(), sendDue(), sendDue()])
    await sendDue()
    const kept = await mails()
    expect(kept.map(({ subject }) => subject)).toEqual([`Sales, ${yesterday}`])
    const { total } = (await ask(`/reports/sales?from=${yesterday}&to=${yesterday}&by=network`)).body.data
    expect(kept[0]?.text).toContain(`Orders ${total.orders} `)
    expect(kept[0]?.text).toContain(`sales-${yesterday}.csv`)
    expect((await ask('/report-schedules')).body.data.schedules).toMatchObject([{ sent_for: yesterday }])
  })

  it('waits until everything of its days is counted', async () => {
    await sql`update report_progress set counted_at = ${yesterday}::date`.execute(shop.app.database.ownerDb)
    await makeDue()
    await sendDue()
    expect(await mails()).toHaveLength(1)
    await sql`update report_schedules set sent_for = sent_for - 1`.execute(shop.db)
    await rollUp(shop.db, products)
    await sendDue()
    expect(await mails()).toHaveLength(2)
  })

  it('takes the new hour when it is asked for once more, and ends when it is ended', async () => {
    const again = await browser.ask('POST', '/desk/api/report-schedules', {
      report: 'sales',
      by: 'network',
      every: 'day',
      hour: 9,
    })
    const [schedule] = again.body.data.schedules
    expect(again.body.data.schedules).toMatchObject([{ hour: 9 }])
    const before = (await mails()).length
    await makeDue()
    await sendDue()
    expect(await mails()).toHaveLength(before)
    const path = `/desk/api/report-schedules/${schedule.schedule_id}`
    expect((await browser.ask('DELETE', path)).body.data.schedules).toEqual([])
    expect((await browser.ask('DELETE', path)).status).toBe(409)
  })

  it('comes to nobody who is staff no more', async () => {
    await browser.ask('POST', '/desk/api/report-schedules', { report: 'sales', by: 'network', every: 'month', hour: 6 })
    await makeDue()
    const before = (await mails()).length
    await sql`delete from staff`.execute(shop.db)
    await sendDue()
    expect(await mails()).toHaveLength(before)
  })
})
