import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import { makeAccount, personNamed } from '../../test/make-account.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { creditKinds } from '../money/by-people/credit-by-people.ts'
import { clearAlarm } from '../notices/clear-alarm.ts'
import { raiseAlarms } from '../notices/raise-alarm.ts'
import { hashPersonPassword } from '../people/auth/hash-password.ts'
import { createMember } from '../people/manage-people.ts'
import { proposeApproval } from '../platform/approvals/propose-approval.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { closeGracefully } from '../platform/http/listener/close-gracefully.ts'
import { products } from '../products/products.ts'
import { rollUp } from '../reports/roll-up.ts'
import { openLive } from './live/open-live.ts'

const desk = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
const browsers = new Map<string, TestBrowser>()
let dispatcher: Agent
let accountId: string

async function signIn(role: 'owner' | 'finance' | 'auditor'): Promise<void> {
  browsers.set(role, await createSignedInStaff(desk, `${role}@example.test`, role, { hasSecondFactor: false }))
}

const as = (who: string): TestBrowser => {
  const browser = browsers.get(who)
  if (!browser) throw new Error(`${who} is not signed in`)
  return browser
}

beforeAll(async () => {
  dispatcher = new Agent({ connect: { ca: await readFile(join(desk.app.dataDir, 'tls', 'ca.pem')) } })
  for (const role of ['owner', 'finance', 'auditor'] as const) await signIn(role)
  accountId = (await makeAccount(desk.db)).accountId
})
afterAll(() => dispatcher.destroy())

/** Listens as a browser does, and keeps the events. */
async function listen(who: string, url = desk.app.url) {
  const cookie = [...as(who).cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { body, headers } = await request(`${url}/desk/api/live`, {
    dispatcher,
    headers: { accept: 'text/event-stream', cookie, origin: url },
    bodyTimeout: 0,
  })
  let heard = ''
  const ended = (async () => {
    for await (const chunk of body) heard += String(chunk)
    return 'ended'
  })().catch(() => 'cut off')
  return {
    headers,
    ended,
    heard: () => heard,
    /** The topics of all `moved` events so far. */
    moved: () => [...heard.matchAll(/event: moved\ndata: (.*)\n/g)].flatMap(([, data = '{}']) => Object.keys(JSON.parse(data))),
    leave: () => body.destroy(),
  }
}

const alarm = (subject: string) => ({
  name: 'contradiction',
  subject,
  message: 'They say otherwise.',
  command: 'See `makola order show x`.',
})

describe('who listens at the desk', () => {
  it('hears which topics have moved, and nothing while nothing happens', async () => {
    const stream = await listen('owner')
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
    })
    await expect.poll(stream.heard).toContain('event: marks')
    await raiseAlarms(desk.db, [alarm('order-1')])
    await expect.poll(stream.moved).toEqual(expect.arrayContaining(['alarms', 'needs']))
    expect(stream.moved()).not.toContain('packages')
    await as('owner').ask('POST', '/desk/api/alarms/clear', { name: 'contradiction', subject: 'order-1', reason: 'asked them' })
    await expect.poll(stream.moved).toContain('log')
    stream.leave()
  })

  it('hears of everything that moves after the marks that it was given, because those come from the read before', async () => {
    const reads: unknown[] = []
    const db = desk.db.withPlugin({
      transformQuery: ({ node }) => (reads.push(node), node),
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const live = openLive({ db, log: pino({ level: 'silent' }), untilReadable: () => Promise.resolve() })
    const moved: string[] = []
    const first = live.listen((topics) => moved.push(...Object.keys(topics)))
    const firstMarks = await first.marks
    expect(reads).toHaveLength(1)
    await raiseAlarms(desk.db, [alarm('order-2')])
    await expect.poll(() => moved).toEqual(expect.arrayContaining(['alarms', 'needs']))
    const second = live.listen(() => undefined)
    expect((await second.marks).alarms).not.toBe(firstMarks.alarms)
    for (const { stopListening: leave } of [first, second]) leave()
    await clearAlarm(desk.db, 'contradiction', 'order-2')
  })

  it('hears of a move that was announced before it was committed once more', async () => {
    const stream = await listen('owner')
    await expect.poll(stream.heard).toContain('event: marks')
    await sql`insert into order_events (order_id, from_status, to_status, actor) values (${newId()}, 'pending', 'processing', 'test')`.execute(
      desk.db,
    )
    await expect.poll(() => stream.moved().filter((topic) => topic === 'orders').length).toBe(2)
    stream.leave()
  })

  it('hears nothing more once the session has ended', async () => {
    const stream = await listen('auditor')
    await expect.poll(stream.heard).toContain('event: marks')
    await sql`delete from staff where person_id = (select id from persons where email = 'auditor@example.test')`.execute(
      desk.app.database.ownerDb,
    )
    expect(await stream.ended).toBe('ended')
  })

  it('does not delay a stop', async () => {
    const other = await desk.app.startAnother()
    const stream = await listen('owner', other.url)
    await expect.poll(stream.heard).toContain('event: marks')
    await closeGracefully(other.api.app)
    expect(await stream.ended).toBe('ended')
  })

  it('gets the marks to be compared, where streams are not passed on', async () => {
    const read = async () => (await as('owner').ask('GET', '/desk/api/live')).body.data.marks
    const before = await read()
    await raiseAlarms(desk.db, [alarm('order-2')])
    await expect.poll(async () => (await read()).alarms).not.toBe(before.alarms)
    expect((await read()).numbers).toBe(before.numbers)
    await clearAlarm(desk.db, 'contradiction', 'order-2')
  })
})

type Needs = { name: string; count: number; lines: { text: string; path: string }[] }[]

describe('what needs somebody', () => {
  const needsOf = async (who: string) => (await as(who).ask('GET', '/desk/api/needs')).body.data.needs as Needs

  it('is nothing where nothing waits', async () => expect(await needsOf('owner')).toEqual([]))

  it('is shown to those who can do it, the oldest first, each with its place', async () => {
    const id = newId()
    await sql`
      insert into api_keys (id, account_id, type, digest, prefix, hint, status)
      values (${id}, ${accountId}, 'sms', 'x', 'makola_sms_live_', 'a1b2', 'pending')`.execute(desk.db)
    await sql`
      insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, state, made_by, transfer_reference, transfer_key)
      select gen_random_uuid(), ${accountId}, 'transfer', 'r' || n, 'p' || n, 100 * n, 0, 'waiting', 'ama', 'momo ' || n, 'MOMO' || n
      from generate_series(1, 7) as n`.execute(desk.db)
    await raiseAlarms(desk.db, [alarm('order-3')])
    const ofFinance = await needsOf('finance')
    expect(ofFinance.map(({ name, count }) => [name, count])).toEqual([
      ['alarms', 1],
      ['top-ups', 7],
    ])
    expect(ofFinance[0]?.lines[0]?.text).toBe('They say otherwise.')
    expect(ofFinance[1]?.lines).toHaveLength(5)
    expect((await needsOf('owner')).find(({ name }) => name === 'keys')?.lines).toMatchObject([
      { text: expect.stringContaining('waits for its sms key.'), path: `/keys/${id}` },
    ])
  })

  it('is not one’s own proposal, which waits for somebody else', async () => {
    const [kind] = creditKinds
    if (!kind) throw new Error('no credit takes two people')
    const request = { accountId, amount: 100, externalId: 'receipt-1', note: null }
    await inTransaction(desk.db, (tx) =>
      proposeApproval(tx, {
        kind,
        subject: accountId,
        request,
        reason: 'paid in cash',
        person: personNamed('finance@example.test'),
      }),
    )
    expect((await needsOf('finance')).map(({ name }) => name)).not.toContain('approvals')
    expect((await needsOf('owner')).find(({ name }) => name === 'approvals')?.lines[0]?.text).toContain('paid in cash')
  })

  it('is an order that is held too long, or that nobody takes', async () => {
    const [held, late, fresh] = [newId(), newId(), newId()]
    for (const [id, hold, minutes] of [
      [held, 'no_definitive_answer', 1],
      [late, null, 60],
      [fresh, null, 0],
    ] as const) {
      await sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details, created_at)
        values (${id}, ${accountId}, 'data', ${id}, 'processing', 100, '0241234567', '{}', now() - make_interval(mins => ${minutes}))`.execute(
        desk.db,
      )
      await sql`insert into open_orders (order_id, route, hold_reason, next_step_at)
        values (${id}, 'datamart/data/MTN', ${hold}, now() - make_interval(mins => ${minutes}))`.execute(desk.db)
    }
    const stuck = (await needsOf('finance')).find(({ name }) => name === 'stuck')
    expect(stuck?.lines.map(({ path }) => path)).toEqual([`/orders/${held}`, `/orders/${late}`])
  })
})

describe('an incident', () => {
  it('is shown to resellers until it is ended, and stays in the history and the log', async () => {
    const passwordHash = await hashPersonPassword(testPassword)
    await inTransaction(desk.db, (tx) =>
      createMember(tx, { email: 'ama@example.test', passwordHash, account: accountId, role: 'owner', actor: 'test' }),
    )
    const member = await desk.browser()
    await member.ask('POST', '/app/api/sign-in', { email: 'ama@example.test', password: testPassword })
    const seen = async () =>
      (await member.ask('GET', '/app/api/me')).body.data.incidents.map(({ message }: { message: string }) => message)
    expect(await seen()).toEqual([])
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const announce = (body: object) => as('owner').ask('POST', '/desk/api/incidents', { level: 'trouble', ...body })
    const { incident_id: id } = (await announce({ message: 'MTN is slow today.' })).body.data
    await announce({ message: 'Later.', from: soon })
    expect((await announce({ message: 'Over.', until: '2026-01-01T00:00:00.000Z' })).status).toBe(409)
    expect(await seen()).toEqual(['MTN is slow today.'])
    expect((await as('owner').ask('POST', `/desk/api/incidents/${id}/end`, {})).status).toBe(200)
    expect((await as('owner').ask('POST', `/desk/api/incidents/${id}/end`, {})).status).toBe(409)
    expect(await seen()).toEqual([])
    const { incidents } = (await as('finance').ask('GET', '/desk/api/incidents')).body.data
    expect(incidents).toMatchObject([{ message: 'Later.' }, { message: 'MTN is slow today.', ended_by: 'owner@example.test' }])
    const { rows } = await sql<{ action: string }>`
      select action from operator_log where subject = ${id} and details ? 'before' and details ? 'after' order by id`.execute(
      desk.db,
    )
    expect(rows.map(({ action }) => action)).toEqual(['incident announce', 'incident end'])
  })
})

describe('an alarm', () => {
  it('is cleared with a reason, once', async () => {
    await raiseAlarms(desk.db, [alarm('order-9')])
    const body = { name: 'contradiction', subject: 'order-9', reason: 'the supplier was wrong' }
    const { alarms } = (await as('finance').ask('GET', '/desk/api/alarms')).body.data
    expect(alarms.at(-1)).toMatchObject({ subject: 'order-9', message: 'They say otherwise.' })
    expect((await as('finance').ask('POST', '/desk/api/alarms/clear', body)).status).toBe(200)
    expect((await as('finance').ask('POST', '/desk/api/alarms/clear', body)).status).toBe(409)
    expect((await as('finance').ask('GET', '/desk/api/alarms?state=past')).body.data.alarms[0]).toMatchObject({
      subject: 'order-9',
    })
    const { rows } = await sql`
      select from operator_log where action = 'alert clear' and details ->> 'reason' = ${body.reason} and details ? 'before'`.execute(
      desk.db,
    )
    expect(rows).toHaveLength(1)
  })
})

describe('the business of today', () => {
  it('stands beside the same hours of the same day last week, and its sales are those of the report', async () => {
    await sql`delete from open_orders`.execute(desk.app.database.ownerDb)
    await sql`delete from orders`.execute(desk.app.database.ownerDb)
    const now = Date.now()
    const place = async (at: number, price: number, purse = 'main') => {
      const id = `${at
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})/, '$1-')}-7000-8000-${newId().slice(-12)}`
      await sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details, created_at)
        values (${id}, ${accountId}, ${purse === 'main' ? 'data' : 'sms'}, ${id}, 'refunded', ${price}, '0241234567', '{}',
          ${new Date(at)})`.execute(desk.db)
      await move(id, { kind: 'purchase', from: purse, to: purse === 'main' ? 'sales' : 'sms_sales', amount: price, at })
      return id
    }
    let entries = 1_000
    const move = (
      cause: string,
      { kind, from, to, amount, at }: { kind: string; from: string; to: string; amount: number; at: number },
    ) => {
      entries += 1
      const isOut = from === 'main' || from === 'sms_credits'
      return sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after,
          to_entry_no, to_balance_after, created_at)
        values (${cause}, ${kind}, ${accountId}, ${from}, ${to}, ${amount}, ${isOut ? entries : null}, ${isOut ? 0 : null},
          ${isOut ? null : entries}, ${isOut ? null : 0}, ${new Date(at)})`.execute(desk.db)
    }
    const week = 7 * 24 * 3_600_000
    const midnight = Math.floor(now / 86_400_000) * 86_400_000
    await place(midnight, 500)
    const back = await place(midnight, 300)
    await move(back, { kind: 'refund', from: 'sales', to: 'main', amount: 300, at: midnight })
    await place(midnight, 7, 'sms_credits')
    await move(newId(), { kind: 'credits_paid', from: 'main', to: 'sales', amount: 4_000, at: midnight })
    await place(midnight - week, 400)
    await place(midnight - week + 86_399_000, 900)
    while (!(await rollUp(desk.db, products)).isComplete);
    const { data } = (await as('finance').ask('GET', '/desk/api/today')).body
    expect(data).toMatchObject({
      sales: 48,
      orders: 3,
      sales_before: 4,
      orders_before: 1,
      figures: { sales: 48, refunds: 3, orders: 3 },
    })
    expect(data.hours[0]).toEqual({ orders: 3, sales: 48 })
    expect(data.hours_before[23]).toEqual({ orders: 1, sales: 9 })
    const report = (await as('finance').ask('GET', `/desk/api/reports/sales?from=${data.day}&to=${data.day}`)).body.data
    expect(report.total).toMatchObject({ sales: data.sales, orders: data.orders })
  })
})

describe('the search of the desk', () => {
  it('says what a text is and where it is shown', async () => {
    const { data } = (await as('finance').ask('GET', '/desk/api/find?q=momo%203')).body
    expect(data.matches).toMatchObject([{ type: 'top-up', path: expect.stringMatching(/^\/top-ups\//) }])
    const named = (await as('finance').ask('GET', '/desk/api/find?q=reseller')).body.data.matches
    expect(named).toMatchObject([{ type: 'account', path: `/accounts/${accountId}` }])
    expect((await as('finance').ask('GET', '/desk/api/find?q=%20')).body.data.matches).toEqual([])
  })
})
