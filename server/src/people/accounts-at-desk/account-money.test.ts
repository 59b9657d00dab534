import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAccount, personNamed } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { patienceSeconds } from '../../../test/patience.ts'
import { setByTwoPeople } from '../../../test/set-by-two-people.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { creditByPeople } from '../../money/by-people/credit-by-people.ts'
import { creditLimitOnePerson } from '../../money/money.settings.ts'
import { confirmApproval } from '../../platform/approvals/decide-approval.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { reasonOf, staffAtDesk } from '../staff-at-desk.fixture.ts'

const shop = setUpPeople()
const { makeStaffMember } = staffAtDesk(shop)
let owner: TestBrowser
let finance: TestBrowser

beforeAll(async () => {
  owner = await makeStaffMember('owner', 'owner@desk.test')
  finance = await makeStaffMember('finance', 'finance@desk.test')
})

const agreeOn = (approvalId: string, by: string) =>
  inTransaction(shop.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person: personNamed(by) }))

describe('the money of an account at the desk', () => {
  it('is credited once for each number of a receipt and way, however it is written; the second try names the first', async () => {
    const [first, second] = [await makeAccount(shop.db), await makeAccount(shop.db)]
    const credit = (accountId: string, way: string, number: string, more: object = {}) =>
      finance.ask('POST', `/desk/api/accounts/${accountId}/credits`, {
        purse: 'main',
        amount: 20,
        note: 'paid',
        reference: `ref-${newId()}`,
        way,
        number,
        ...more,
      })
    expect((await credit(first.accountId, 'cash', 'Receipt-2041')).body.data.state).toBe('done')
    for (const again of [{}, { purse: 'sms_credits', amount: 5 }]) {
      const { status, body } = await credit(second.accountId, 'cash', ' receipt 2041', again)
      expect([status, body.error.message]).toEqual([
        409,
        expect.stringMatching(
          /\(cash\) was credited already: GHS 20\.00 to account Reseller \d+, by finance@desk\.test at \d+ \w+ 20\d\d/,
        ),
      ])
    }
    const racing = await Promise.all([1, 2, 3].map(() => credit(first.accountId, 'bank', 'Receipt-2041')))
    expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect((await credit(first.accountId, 'bank', '---')).status).toBe(400)
    const found = (await finance.ask('GET', '/desk/api/find?q=receipt%202041')).body.data.matches
    expect(found.filter(({ type }: { type: string }) => type === 'credit')).toHaveLength(2)
    await inTransaction(shop.db, (tx) =>
      creditByPeople(tx, {
        accountId: first.accountId,
        purse: 'main',
        amount: 100,
        externalId: 'slip-9',
        note: 'on the command line',
        person: { by: 'kofi', osUser: 'kofi' },
        isLive: false,
      }),
    )
    expect((await credit(second.accountId, 'momo', 'slip-9')).status).toBe(409)
    await mustPassAudit(shop.db)
  })

  it('keeps two equal corrections apart: a proposal is confirmed only as itself, and an equal one is asked about', async () => {
    const { accountId } = await makeAccount(shop.db, { balancePesewas: 5_000 })
    const path = `/desk/api/accounts/${accountId}/corrections`
    const correct = async (by: typeof owner, reason: string, more: object = {}) => {
      const body = { purse: 'main', amount: 7.77, reason, reference: `ref-${newId()}`, ...more }
      return (await by.ask('POST', path, body)).body.data
    }
    const one = await correct(owner, 'typed twice on Monday')
    expect(one).toMatchObject({ state: 'proposed', balance: 50 })
    for (const by of [finance, owner]) {
      expect(await correct(by, 'typed twice on Friday')).toMatchObject({
        state: 'same_waits',
        approval_id: one.approval_id,
        balance: 50,
      })
    }
    const another = await correct(finance, 'typed twice on Friday', { is_another: true })
    expect(another).toMatchObject({ state: 'proposed', balance: 50 })
    expect(another.approval_id).not.toBe(one.approval_id)
    expect((await finance.ask('POST', `/desk/api/approvals/${one.approval_id}/confirm`)).status).toBe(200)
    expect((await owner.ask('POST', `/desk/api/approvals/${another.approval_id}/confirm`)).status).toBe(200)
    expect((await owner.ask('GET', `${path.replace('corrections', 'entries')}?purse=main`)).body.data.entries).toMatchObject([
      { amount: -7.77 },
      { amount: -7.77 },
      { amount: 50 },
    ])
    await mustPassAudit(shop.db)
  })

  it('is credited once per reference, above the limit and back again by two people', async () => {
    await writeSetting(shop.db, creditLimitOnePerson, 100, 'test')
    const { accountId } = await makeAccount(shop.db)
    const path = `/desk/api/accounts/${accountId}`
    const receipt = () => ({ way: 'cash', number: newId(), reference: `ref-${newId()}` })
    const credit = { purse: 'main', amount: 40.5, ...receipt(), note: 'cash at the desk' }
    const outcomes = []
    for (const body of [credit, credit]) outcomes.push((await finance.ask('POST', `${path}/credits`, body)).body.data)
    expect(outcomes).toEqual([
      { state: 'done', approval_id: null, why: null, balance: 40.5 },
      { state: 'done_before', approval_id: null, why: null, balance: 40.5 },
    ])
    expect(reasonOf(await finance.ask('POST', `${path}/credits`, { ...credit, amount: 41 }))).toEqual([409, 'not_possible'])
    const half = { ...credit, purse: 'sms_credits', amount: 0.5, ...receipt() }
    expect(reasonOf(await finance.ask('POST', `${path}/credits`, half))).toEqual([400, 'invalid_request'])
    const large = { ...credit, amount: 500, ...receipt() }
    for (const _again of [1, 2]) {
      expect((await finance.ask('POST', `${path}/credits`, large)).body.data).toMatchObject({ state: 'proposed', balance: 40.5 })
    }
    const [waiting] = (await finance.ask('GET', `${path}/credits`)).body.data.waiting
    expect(waiting).toMatchObject({ proposed_by: 'finance@desk.test', before: 'GHS 40.50', after: 'GHS 540.50' })
    const { name } = await shop.db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirstOrThrow()
    expect(waiting.what).toBe(`credit GHS 500.00 to account ${name}`)
    const agree = (by: string) => agreeOn(waiting.approval_id, by)
    await expect(agree('finance@desk.test')).rejects.toThrow('a second person confirms')
    await agree('owner@desk.test')

    const [newest] = (await finance.ask('GET', `${path}/credits`)).body.data.credits
    expect(newest).toMatchObject({ amount: 500, left: 500, reference: `cash ${large.number.replaceAll('-', '').toUpperCase()}` })
    const correction = {
      purse: 'main',
      amount: 500,
      credit_id: newest.credit_id,
      reason: 'wrong account',
      reference: `ref-${newId()}`,
    }
    const corrections = `${path}/corrections`
    const proposed = (await finance.ask('POST', corrections, correction)).body.data
    expect(proposed).toMatchObject({ state: 'proposed', balance: 540.5 })
    expect((await finance.ask('POST', corrections, correction)).body.data).toEqual(proposed)
    await agreeOn(proposed.approval_id, 'owner@desk.test')
    expect((await finance.ask('GET', `${path}/credits`)).body.data.credits[0]).toMatchObject({ amount: 500, left: 0 })
    const entries = (await owner.ask('GET', `${path}/entries?purse=main`)).body.data.entries
    expect(entries.map(({ amount }: { amount: number }) => amount)).toEqual([-500, 500, 40.5])
    expect((await owner.ask('GET', `${path}/entries.csv?purse=main`)).body).toContain('wrong account')
    const month = new Date().toISOString().slice(0, 7)
    for (const file of ['pdf', 'csv']) {
      const { status } = await owner.ask('GET', `${path}/statement.${file}?purse=main&month=${month}`)
      expect([file, status]).toEqual([file, 200])
    }
    const move = { amount: 5, reference: `ref-${newId()}` }
    expect(reasonOf(await finance.ask('POST', `${path}/commission-transfers`, move))).toEqual([409, 'not_possible'])
    await mustPassAudit(shop.db)
  })

  it('is credited by one person up to the limit within 24 hours, in however many parts, also at one moment', async () => {
    await writeSetting(shop.db, creditLimitOnePerson, 100, 'test')
    const clerk = await makeStaffMember('finance', 'clerk@desk.test')
    const [first, second] = [await makeAccount(shop.db), await makeAccount(shop.db)]
    const creditTo = async ({ accountId }: { accountId: string }, amount: number) => {
      const credit = { purse: 'main', amount, way: 'cash', number: newId(), reference: `ref-${newId()}`, note: 'cash' }
      return (await clerk.ask('POST', `/desk/api/accounts/${accountId}/credits`, credit)).body.data
    }
    const person = personNamed('clerk@desk.test')
    const credit = { ...first, purse: 'main' as const, amount: 9_000, externalId: undefined, note: 'cash', person, isLive: false }
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`.execute(shop.db)
      return rows.length > 0
    }
    const { racing } = await inTransaction(shop.db, async (tx) => {
      await creditByPeople(tx, credit)
      const answer = creditTo(second, 30)
      const isSoon = { timeout: patienceSeconds * 1_000 }
      await Promise.race([answer, vi.waitUntil(isWaiting, isSoon)])
      return { racing: answer }
    })
    expect(await racing).toMatchObject({
      state: 'proposed',
      why: 'One person credits at most GHS 100.00 within 24 hours. You credited GHS 90.00 in the last 24 hours already.',
    })
    expect(await creditTo(first, 10)).toMatchObject({ state: 'done' })
    expect(await creditTo(second, 0.01)).toMatchObject({ state: 'proposed' })
    const { ownerDb } = shop.app.database
    await ownerDb.transaction().execute(async (tx) => {
      await sql`alter table wallet_credits disable trigger user`.execute(tx)
      await sql`update wallet_credits set created_at = created_at - interval '24 hours' where account_id = ${first.accountId}`.execute(
        tx,
      )
      await sql`alter table wallet_credits enable trigger user`.execute(tx)
    })
    expect(await creditTo(second, 10)).toMatchObject({ state: 'done' })
    await mustPassAudit(shop.db)
  })

  it('is credited up to the limit once, not at the desk and again on the command line, where money is real', async () => {
    const clerk = await makeStaffMember('finance', 'both@desk.test')
    const { accountId } = await makeAccount(shop.db)
    const { ownerDb } = shop.app.database
    await ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
    try {
      await setByTwoPeople(shop.db, creditLimitOnePerson, 5_000)
      const credit = { accountId, purse: 'main' as const, externalId: undefined, note: 'cash', isLive: true }
      const person = { by: 'somebody', osUser: 'somebody' }
      await inTransaction(shop.db, (tx) => creditByPeople(tx, { ...credit, person, amount: 400_000 }))
      const atDesk = { purse: 'main', amount: 1_001, way: 'momo', number: newId(), reference: `ref-${newId()}`, note: 'cash' }
      const { data } = (await clerk.ask('POST', `/desk/api/accounts/${accountId}/credits`, atDesk)).body
      expect(data).toMatchObject({ state: 'proposed' })
    } finally {
      await ownerDb.deleteFrom('installation').execute()
      await writeSetting(shop.db, creditLimitOnePerson, 100, 'test')
    }
  })

  it('is corrected once per reference, whatever became of the proposal meanwhile', async () => {
    const { accountId } = await makeAccount(shop.db, { balancePesewas: 5_000 })
    const path = `/desk/api/accounts/${accountId}/corrections`
    const correction = { purse: 'main', amount: 10, reason: 'twice', reference: `ref-${newId()}` }
    const [proposed, ...others] = await Promise.all([1, 2, 3].map(async () => (await finance.ask('POST', path, correction)).body))
    expect(others.map(({ data }) => data)).toEqual([proposed.data, proposed.data])
    await agreeOn(proposed.data.approval_id, 'owner@desk.test')
    expect((await finance.ask('POST', path, correction)).body.data).toMatchObject({
      state: 'proposed',
      approval_id: proposed.data.approval_id,
    })
    expect(reasonOf(await finance.ask('POST', path, { ...correction, amount: 11 }))).toEqual([409, 'not_possible'])
    expect(reasonOf(await owner.ask('POST', path, correction))).toEqual([409, 'not_possible'])
    const { waiting } = (await finance.ask('GET', `/desk/api/accounts/${accountId}/credits`)).body.data
    expect(waiting).toEqual([])
    await mustPassAudit(shop.db)
  })
})
