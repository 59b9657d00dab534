import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { readNeeds } from '../../desk/needs/read-needs.ts'
import { listResellerNotices } from '../../notices/list-reseller-notices.ts'
import { permissionsOfStaff } from '../../people/permissions/staff-permissions.ts'
import { reasonOf, staffAtDesk } from '../../people/staff-at-desk.fixture.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { forgetNow } from '../../platform/forgetting/forget-now.fixture.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { setAccountNotices } from '../notices/set-account-notices.ts'
import { forgettingOfProblems } from './forget-problems.ts'
import { helpHours, helpPhone, helpWhatsApp } from './help.settings.ts'

const shop = setUpPeople()
const { makeStaffMember, newestLog } = staffAtDesk(shop)
let ama: TestBrowser
let kofi: TestBrowser
let support: TestBrowser
let auditor: TestBrowser
let accountId: string

const accountOf = async (email: string) =>
  (await shop.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

beforeAll(async () => {
  ama = await shop.makeMember('ama@example.test')
  kofi = await shop.makeMember('kofi@example.test')
  accountId = await accountOf('ama@example.test')
  support = await makeStaffMember('support', 'esi@example.test')
  auditor = await makeStaffMember('auditor', 'yaw@example.test')
})
beforeEach(async () => {
  await sql`delete from problems`.execute(shop.app.database.ownerDb)
  await sql`delete from reseller_notices`.execute(shop.app.database.ownerDb)
  await sql`delete from rate_limits`.execute(shop.db)
})

const report = (text: string, more: object = {}, by = ama) => by.ask('POST', '/app/api/problems', { text, ...more })
const reported = async (text: string, more: object = {}) =>
  (await report(text, more)).body.data as { problem_id: string; reported_at: string }
const answer = (id: string, text: string, by = support) => by.ask('POST', `/desk/api/problems/${id}/answer`, { answer: text })
const waiting = async () => (await support.ask('GET', '/desk/api/problems')).body.data.problems as object[]

describe('GET /app/api/help', () => {
  it('tells also those who cannot sign in where the operator is found', async () => {
    const stranger = await shop.browser()
    const ask = async () => (await stranger.ask('GET', '/app/api/help')).body.data
    expect(await ask()).toEqual({ whatsapp: null, phone: null, hours: null })
    await writeSetting(shop.db, helpWhatsApp, '+233241234567', 'test')
    await writeSetting(shop.db, helpPhone, '+233302123456', 'test')
    await writeSetting(shop.db, helpHours, 'Monday to Saturday, 8:00 to 20:00', 'test')
    await shop.app.untilSeen()
    expect(await ask()).toEqual({
      whatsapp: '+233241234567',
      phone: '+233302123456',
      hours: 'Monday to Saturday, 8:00 to 20:00',
    })
  })

  it('has no number that could not be called', async () => {
    for (const wrong of ['0241234567', '+233 24 123 4567', '+0241234567', '+2332412345678901', 'javascript:alert(1)']) {
      await expect(writeSetting(shop.db, helpWhatsApp, wrong, 'test')).rejects.toThrow('help_whatsapp must be')
    }
  })
})

describe('POST /app/api/problems', () => {
  it('reaches the staff with the order and the request id, under Needs you of those who answer', async () => {
    const { problem_id: id } = await reported('It says failed, my customer has the data.', {
      order_reference: 'ord-17',
      request_id: 'req-4711',
    })
    expect(await waiting()).toMatchObject([
      {
        problem_id: id,
        email: 'ama@example.test',
        order_reference: 'ord-17',
        top_up_reference: null,
        request_id: 'req-4711',
        state: 'waiting',
      },
    ])
    const asker = { by: 'esi', mayConfirm: [] }
    const [need] = await readNeeds(shop.db, ['manage_accounts'], asker)
    expect(need).toMatchObject({ name: 'problems', count: 1, lines: [{ path: `/problems/${id}` }] })
    expect(need?.lines[0]?.text).toContain('It says failed, my customer has the data.')
    expect(await readNeeds(shop.db, permissionsOfStaff('auditor'), asker)).toEqual([])
  })

  it('reports nothing twice while the first one waits, also when two calls come at once', async () => {
    const same = { order_reference: 'ord-17' }
    const [one, other] = await Promise.all([reported('It failed', same), reported('It failed', same)])
    expect(other.problem_id).toBe(one.problem_id)
    const elsewhere = await reported('It failed', { order_reference: 'ord-18' })
    expect(elsewhere.problem_id).not.toBe(one.problem_id)
    await answer(one.problem_id, 'Look again')
    expect((await reported('It failed', same)).problem_id).not.toBe(one.problem_id)
  })

  it('repeats the one that waits, also when a later one with the same words has ended', async () => {
    const ended = await reported('Same words', { order_reference: 'ord-19' })
    await answer(ended.problem_id, 'Look again')
    const waits = newId()
    const { ownerDb } = shop.app.database
    await sql`update problems set id = 'ffffffff-0000-7000-8000-000000000000' where id = ${ended.problem_id}`.execute(ownerDb)
    await sql`
      insert into problems (id, account_id, text, order_reference, reported_by)
      values (${waits}, ${accountId}, 'Same words', 'ord-19', 'ama')`.execute(ownerDb)
    expect(await reported('Same words', { order_reference: 'ord-19' })).toMatchObject({ problem_id: waits, state: 'waiting' })
  })

  it('429: takes ten problems of an account in an hour, and those of others all the same', async () => {
    for (let no = 0; no < 10; no += 1) expect((await report(`Problem ${no}`)).status).toBe(200)
    const refused = await report('One more')
    expect(reasonOf(refused)).toEqual([429, 'too_many_problems'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await waiting()).toHaveLength(10)
    expect((await report('My first one', {}, kofi)).status).toBe(200)
  })

  it('400: says something', async () => {
    for (const text of ['', '  \n ', 'x'.repeat(1_001)]) expect((await report(text)).status).toBe(400)
    expect(await waiting()).toEqual([])
  })

  it('is open to a suspended account, which has most to ask', async () => {
    await shop.db.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', accountId).execute()
    expect((await report('Why are we suspended?')).status).toBe(200)
    await shop.db.updateTable('accounts').set({ status: 'active' }).where('id', '=', accountId).execute()
  })
})

describe('GET /app/api/problems', () => {
  it('has the account’s own problems with their answers, and nobody else’s', async () => {
    const { problem_id: id } = await reported('Where is my transfer?', { top_up_reference: 'TOP-9' })
    await report('Not of Ama', {}, kofi)
    await answer(id, 'It has arrived.')
    const { problems } = (await ama.ask('GET', '/app/api/problems')).body.data
    expect(problems).toMatchObject([
      { problem_id: id, text: 'Where is my transfer?', top_up_reference: 'TOP-9', state: 'answered', answer: 'It has arrived.' },
    ])
    expect(JSON.stringify(problems)).not.toContain('esi@example.test')
  })
})

describe('the answer of the staff', () => {
  it('is told once, over the channels that the account has chosen, and stays out of the log', async () => {
    const { problem_id: id } = await reported('My number 0241234567 got nothing')
    const answered = await answer(id, 'It is there now.')
    expect(answered.body.data).toMatchObject({ state: 'answered', answer: 'It is there now.' })
    expect(reasonOf(await answer(id, 'Again'))).toEqual([409, 'problem_ended'])
    const told = await listResellerNotices(shop.db, { accountId, limit: 10 })
    expect(told).toMatchObject([{ kind: 'problem_answered', channel: 'email', about: id }])
    expect(told[0]?.body).toContain('The answer: It is there now.')
    const log = await newestLog()
    expect(log).toMatchObject({ action: 'problem answer', subject: id })
    expect(JSON.stringify(log)).not.toMatch(/0241234567|there now/)
  })

  it('is in the app alone for an account that wants no mail about answers', async () => {
    await inTransaction(shop.db, (tx) =>
      setAccountNotices(tx, {
        accountId,
        lowBalancePesewas: null,
        phone: null,
        muted: ['problem_answered/email'],
        actor: 'test',
      }),
    )
    const { problem_id: id } = await reported('Anybody there?')
    await answer(id, 'Yes.')
    expect(await listResellerNotices(shop.db, { accountId, limit: 10 })).toEqual([])
    const { problems } = (await ama.ask('GET', '/app/api/problems')).body.data
    expect(problems).toMatchObject([{ answer: 'Yes.' }])
  })

  it('is not needed: a problem is closed with a reason for the log, and nobody is told', async () => {
    const { problem_id: id } = await reported('Solved on the phone')
    const close = (body: object) => support.ask('POST', `/desk/api/problems/${id}/close`, body)
    expect((await close({})).status).toBe(400)
    expect((await close({ reason: 'called her' })).body.data).toMatchObject({ state: 'closed', answer: null })
    expect(await newestLog()).toMatchObject({ action: 'problem close', subject: id, details: { reason: 'called her' } })
    expect(await listResellerNotices(shop.db, { accountId, limit: 10 })).toEqual([])
  })

  it('403: comes from those who manage accounts, and not from an auditor', async () => {
    const { problem_id: id } = await reported('Hello')
    expect((await auditor.ask('GET', `/desk/api/problems/${id}`)).status).toBe(200)
    expect(reasonOf(await answer(id, 'Hi', auditor))).toEqual([403, 'not_permitted'])
  })

  it('404: there is no such problem', async () => {
    expect(reasonOf(await answer('01890000-0000-7000-8000-000000000000', 'Hi'))).toEqual([404, 'problem_not_found'])
  })
})

describe('the words of problems', () => {
  it('are forgotten 180 days after their end, with the answer; those that wait are kept', async () => {
    const [old, young, open] = [await reported('Old 0241234567'), await reported('Young'), await reported('Open')]
    for (const { problem_id: id } of [old, young]) await answer(id, 'Yes')
    const { ownerDb } = shop.app.database
    await sql`update problems set reported_at = now() - interval '300 days'`.execute(ownerDb)
    await sql`update problems set ended_at = now() - interval '181 days' where id = ${old.problem_id}`.execute(ownerDb)
    await forgetNow(shop.db, forgettingOfProblems)
    const rows = await shop.db.selectFrom('problems').select(['id', 'text', 'answer']).execute()
    expect(new Map(rows.map(({ id, ...words }) => [id, words]))).toEqual(
      new Map([
        [old.problem_id, { text: 'forgotten', answer: 'forgotten' }],
        [young.problem_id, { text: 'Young', answer: 'Yes' }],
        [open.problem_id, { text: 'Open', answer: null }],
      ]),
    )
  })
})
