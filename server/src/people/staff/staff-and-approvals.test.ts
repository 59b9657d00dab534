import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../test/create-signed-in-staff.ts'
import { makeAccount } from '../../../test/make-account.ts'
import { makeTotpCode } from '../../../test/make-totp-code.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { confirmApproval } from '../../platform/approvals/decide-approval.ts'
import { proposeApproval } from '../../platform/approvals/propose-approval.ts'
import { deskUser, type Person } from '../../platform/approvals/two-people.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { hashPersonPassword } from '../auth/hash-password.ts'
import { createMember } from '../manage-people.ts'
import { approvalPermissions } from '../permissions/approval-permissions.ts'
import type { StaffRole } from '../permissions/staff-permissions.ts'
import { setStaffRole } from './manage-staff.ts'

const shop = setUpPeople()
const desk = new Map<string, TestBrowser>()

async function bring(email: string, role: StaffRole): Promise<TestBrowser> {
  const browser = await createSignedInStaff(shop, email, role)
  desk.set(email, browser)
  return browser
}

const as = (name: string) => {
  const browser = desk.get(`${name}@example.test`)
  if (!browser) throw new Error(`${name} is not signed in`)
  return browser
}
const reasonOf = ({ status, headers }: { status: number; headers: object }) => [status, Reflect.get(headers, 'x-error-reason')]
const staffList = async () =>
  (await as('ama').ask('GET', '/desk/api/staff')).body.data.staff as { person_id: string; email: string; is_invited: boolean }[]
const personAtDesk = (email: string): Person => ({ by: email, osUser: deskUser(email) })
const idOf = async (email: string) => (await staffList()).find((each) => each.email === email)?.person_id ?? ''
const lastLine = () =>
  shop.db
    .selectFrom('operator_log')
    .select(['actor', 'action', 'details'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

beforeAll(async () => {
  await bring('ama@example.test', 'owner')
  await bring('kofi@example.test', 'finance')
  await bring('esi@example.test', 'support')
})
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

describe('the staff', () => {
  it('are invited by mail with a link, and see nothing before they have a second factor', async () => {
    const invited = await as('ama').ask('POST', '/desk/api/staff', { email: 'Yaw@example.test', role: 'support' })
    expect(invited.body.data).toMatchObject({ email: 'yaw@example.test', is_mailed: true, set_up_link: null })
    expect((await staffList()).find(({ email }) => email === 'yaw@example.test')).toMatchObject({ is_invited: true })
    expect(await lastLine()).toMatchObject({
      actor: 'ama@example.test',
      action: 'staff create',
      details: { email: 'yaw@example.test', before: null, after: { role: 'support' }, address: '127.0.0.1' },
    })
    const again = await as('ama').ask('POST', `/desk/api/staff/${await idOf('yaw@example.test')}/invitation`)
    expect(again.status).toBe(200)
    const [mail] = await shop.mailsTo('yaw@example.test')
    expect(mail?.text).toContain('/desk/set-password#token=')
    const yaw = await shop.browser()
    const token = await shop.tokenFor('yaw@example.test')
    expect((await yaw.ask('POST', '/desk/api/reset-password', { token, password: testPassword })).status).toBe(200)
    await yaw.ask('POST', '/desk/api/sign-in', { email: 'yaw@example.test', password: testPassword })
    expect(reasonOf(await yaw.ask('GET', '/desk/api/approvals'))).toEqual([403, 'second_factor_needed'])
    const late = await as('ama').ask('POST', `/desk/api/staff/${await idOf('yaw@example.test')}/invitation`)
    expect(reasonOf(late)).toEqual([409, 'not_possible'])
  })

  it('keep an owner: the last one can be neither removed nor given another role', async () => {
    const ama = await idOf('ama@example.test')
    const demote = await as('ama').ask('POST', `/desk/api/staff/${ama}/role`, { role: 'auditor' })
    const remove = await as('ama').ask('POST', `/desk/api/staff/${ama}/remove`, { reason: 'leaves' })
    for (const refused of [demote, remove]) {
      expect(reasonOf(refused)).toEqual([409, 'not_possible'])
      expect(refused.body.error.message).toContain('is the last owner')
    }
    expect((await as('ama').ask('GET', '/desk/api/me')).body.data.role).toBe('owner')
  })

  it('are given another role, signed out and removed, each with before and after in the log', async () => {
    const abena = await bring('abena@example.test', 'catalogue')
    const id = await idOf('abena@example.test')
    await as('ama').ask('POST', `/desk/api/staff/${id}/role`, { role: 'finance' })
    expect(await lastLine()).toMatchObject({
      action: 'staff set-role',
      details: { before: { role: 'catalogue' }, after: { role: 'finance' } },
    })
    expect((await abena.ask('GET', '/desk/api/me')).body.data.role).toBe('finance')
    expect((await as('ama').ask('GET', `/desk/api/staff/${id}/sessions`)).body.data.sessions).toHaveLength(1)
    expect((await as('ama').ask('POST', `/desk/api/staff/${id}/sessions/end`)).body.data).toEqual({ ended: 1 })
    expect(reasonOf(await abena.ask('GET', '/desk/api/me'))).toEqual([401, 'not_signed_in'])
    await as('ama').ask('POST', `/desk/api/staff/${id}/remove`, { reason: 'left the company' })
    expect(await lastLine()).toMatchObject({
      action: 'staff remove',
      details: { reason: 'left the company', before: { role: 'finance' }, after: null },
    })
    expect((await staffList()).map(({ email }) => email)).not.toContain('abena@example.test')
    expect(reasonOf(await as('ama').ask('POST', `/desk/api/staff/${id}/remove`, { reason: 'r' }))).toEqual([
      404,
      'person_not_found',
    ])
  })
})

describe('a lost second factor', () => {
  it('is taken away by an owner with a reason: sessions end, the password alone works once more, a mail tells the person', async () => {
    const efua = await bring('efua@example.test', 'support')
    const reset = (email: string) =>
      as('ama').ask('POST', '/desk/api/persons/reset-second-factor', { email, reason: 'lost the phone' })
    expect((await reset('Efua@example.test')).status).toBe(200)
    expect(await lastLine()).toMatchObject({
      action: 'staff reset-second-factor',
      details: { reason: 'lost the phone', before: { second_factor: true, sessions: 1 }, after: { second_factor: false } },
    })
    expect(reasonOf(await efua.ask('GET', '/desk/api/me'))).toEqual([401, 'not_signed_in'])
    const { body } = await efua.ask('POST', '/desk/api/sign-in', { email: 'efua@example.test', password: testPassword })
    expect(body.data.status).toBe('signed_in')
    expect((await efua.ask('GET', '/desk/api/me')).body.data.is_second_factor_missing).toBe(true)
    expect((await shop.mailsTo('efua@example.test'))[0]?.subject).toBe('Your second factor was switched off')
    expect(reasonOf(await reset('efua@example.test'))).toEqual([409, 'not_possible'])
    expect(reasonOf(await reset('nobody@example.test'))).toEqual([404, 'person_not_found'])
    expect((await reset('ama@example.test')).body.error.message).toContain('Your own second factor')
  })

  it('of a reseller’s person is found here, and not taken away by one owner', async () => {
    const { accountId } = await makeAccount(shop.db)
    const passwordHash = await hashPersonPassword(testPassword)
    const email = 'adwoa@example.test'
    await inTransaction(shop.db, (tx) =>
      createMember(tx, { account: accountId, email, role: 'owner', passwordHash, actor: 'test' }),
    )
    const member = await shop.browser()
    await member.ask('POST', '/app/api/sign-in', { email, password: testPassword })
    const { data } = (await member.ask('POST', '/app/api/two-factor', { password: testPassword })).body
    await member.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })
    const found = (await as('ama').ask('GET', `/desk/api/persons?email=${email}`)).body.data
    expect(found).toMatchObject({ has_two_factor: true, staff_role: null, member: { account_id: accountId, role: 'owner' } })
    const reset = await as('ama').ask('POST', '/desk/api/persons/reset-second-factor', { email, reason: 'lost the phone' })
    expect(reasonOf(reset)).toEqual([409, 'not_possible'])
    expect((await member.ask('GET', '/app/api/me')).body.data.person.has_two_factor).toBe(true)
  })
})

const kindOf = (name: string) => {
  const kind = allApprovalKinds.find((each) => each.name === name)
  if (!kind) throw new Error(`there is no kind ${name}`)
  return kind
}

/** Makes an account. This person then proposes a correction of its wallet, which waits for a second person. */
async function propose(person = personAtDesk('kofi@example.test')) {
  const { accountId } = await makeAccount(shop.db, { balancePesewas: 5_000 })
  const request = { accountId, amount: 1_000, creditId: null }
  const proposal = { kind: kindOf('wallet correct'), subject: accountId, request, reason: 'the receipt says so', person }
  const { approvalId } = await inTransaction(shop.db, (tx) => proposeApproval(tx, proposal))
  return { approvalId, accountId, path: `/desk/api/approvals/${approvalId}` }
}

describe('the queue of approvals', () => {
  it('names for every kind the permission that deciding it takes, and no kind that there is not', () => {
    expect(Object.keys(approvalPermissions).toSorted()).toEqual(allApprovalKinds.map(({ name }) => name).toSorted())
  })

  it('says what will happen, before and after, and to whom; a second person confirms it', async () => {
    const { approvalId, accountId, path } = await propose()
    const listed = (await as('ama').ask('GET', '/desk/api/approvals?limit=1')).body.data.approvals
    expect(listed).toMatchObject([
      {
        approval_id: approvalId,
        status: 'pending',
        account: { account_id: accountId },
        before: 'GHS 50.00',
        after: 'GHS 40.00',
        reason: 'the receipt says so',
        proposed_by: 'kofi@example.test',
        permission: 'manage_money',
        is_yours: false,
        may_confirm: true,
      },
    ])
    const confirmed = await as('ama').ask('POST', `${path}/confirm`)
    expect(confirmed.body.data).toMatchObject({ before: 'GHS 50.00', after: 'GHS 40.00' })
    expect((await as('kofi').ask('GET', path)).body.data).toMatchObject({ status: 'done', decided_by: 'ama@example.test' })
    expect(reasonOf(await as('ama').ask('POST', `${path}/confirm`))).toEqual([409, 'not_possible'])
    const decided = (await as('ama').ask('GET', '/desk/api/approvals?which=decided')).body.data.approvals
    expect(decided[0]).toMatchObject({ approval_id: approvalId, may_confirm: false, may_refuse: false })
  })

  it.each([
    ['from another session', personAtDesk('kofi@example.test')],
    ['under another name of the command line', { by: 'Kofi', osUser: 'root' }],
    ['with capitals on the command line', { by: ' KOFI@example.test', osUser: 'root' }],
  ])('is not confirmed by whoever proposed it, %s', async (_how, person) => {
    const { path } = await propose(person)
    const other = await shop.browser()
    await other.ask('POST', '/desk/api/sign-in', { email: 'kofi@example.test', password: testPassword })
    expect((await as('kofi').ask('GET', path)).body.data).toMatchObject({ is_yours: true, may_confirm: false, may_refuse: true })
    const refused = await as('kofi').ask('POST', `${path}/confirm`)
    expect(reasonOf(refused)).toEqual([409, 'not_possible'])
    expect(refused.body.error.message).toContain('a second person confirms')
    const withdrawn = await as('kofi').ask('POST', `${path}/refuse`, { reason: 'a mistake of mine' })
    expect(withdrawn.body.data).toMatchObject({ status: 'refused', decision_note: 'a mistake of mine' })
  })

  it('is not confirmed on the command line over a word of the desk, nor the other way round, where money is real', async () => {
    const { ownerDb } = shop.app.database
    await ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
    try {
      const { approvalId } = await propose()
      const onTerminal = { approvalId, person: { by: 'esi', osUser: 'kofi' } }
      await expect(inTransaction(shop.db, (tx) => confirmApproval(tx, allApprovalKinds, onTerminal))).rejects.toThrow(
        'where nobody signs in',
      )
      const { path } = await propose({ by: 'esi', osUser: 'kofi' })
      expect(reasonOf(await as('ama').ask('POST', `${path}/confirm`))).toEqual([409, 'not_possible'])
    } finally {
      await ownerDb.deleteFrom('installation').execute()
    }
  })

  it('is not confirmed by its proposer under another e-mail, and the audit would find it', async () => {
    const personId = await idOf('kofi@example.test')
    const { path, approvalId } = await propose({ ...personAtDesk('kofi.before@example.test'), personId })
    expect((await as('kofi').ask('GET', path)).body.data).toMatchObject({ is_yours: true, may_confirm: false })
    expect(reasonOf(await as('kofi').ask('POST', `${path}/confirm`))).toEqual([409, 'not_possible'])
    expect((await as('ama').ask('POST', `${path}/confirm`)).status).toBe(200)
    const breaches = async () =>
      (await runAudit(shop.db, allAuditChecks, { isFull: true })).checks['correction_without_its_approval']
    expect(await breaches()).toBe(0)
    const decideAs = (id: string) =>
      shop.app.database.ownerDb.transaction().execute(async (tx) => {
        await sql`alter table approvals disable trigger user`.execute(tx)
        await sql`update approvals set decided_person_id = ${id} where id = ${approvalId}`.execute(tx)
        await sql`alter table approvals enable trigger user`.execute(tx)
      })
    await decideAs(personId)
    expect(await breaches()).toBe(1)
    await decideAs(await idOf('ama@example.test'))
  })

  it('loses what somebody proposed whose role has changed', async () => {
    await bring('afua@example.test', 'finance')
    const { path } = await propose(personAtDesk('afua@example.test'))
    await inTransaction(shop.db, (tx) => setStaffRole(tx, { email: 'afua@example.test', role: 'auditor', actor: 'test' }))
    expect((await as('ama').ask('GET', path)).body.data).toMatchObject({ status: 'refused', decided_by: 'test' })
  })

  it('says what it would change at this moment, why it no longer can be done, and what it changed', async () => {
    const { path, accountId } = await propose()
    const read = async (from = path) => (await as('ama').ask('GET', from)).body.data
    const wish = { accountId, purse: 'main', amount: 1_000, actor: 'test' } as const
    const credit = () => inTransaction(shop.db, (tx) => creditWallet(tx, wish))
    await credit()
    expect(await read()).toMatchObject({ before: 'GHS 60.00', after: 'GHS 50.00', why_not: null })
    await as('ama').ask('POST', `${path}/confirm`)
    await credit()
    expect(await read()).toMatchObject({ status: 'done', before: 'GHS 60.00', after: 'GHS 50.00', why_not: null })
    const other = await propose()
    await shop.db.updateTable('wallets').set({ balance: 500 }).where('account_id', '=', other.accountId).execute()
    expect(await read(other.path)).toMatchObject({ before: 'GHS 50.00', why_not: expect.stringContaining('GHS 5.00') })
    await shop.db.updateTable('wallets').set({ balance: 5_000 }).where('account_id', '=', other.accountId).execute()
  })

  it('asks for the password or a code before it is refused, as before it is confirmed', async () => {
    const { path } = await propose()
    const confirmedAt = (at: Date) => shop.db.updateTable('person_sessions').set({ confirmed_at: at }).execute()
    await confirmedAt(new Date(0))
    expect(reasonOf(await as('ama').ask('POST', `${path}/refuse`, { reason: 'r' }))).toEqual([403, 'confirmation_needed'])
    await confirmedAt(new Date())
    expect((await as('ama').ask('POST', `${path}/refuse`, { reason: 'r' })).body.data.status).toBe('refused')
  })

  it('is decided by nobody without the permission of its kind', async () => {
    const { path } = await propose()
    expect((await as('esi').ask('GET', path)).body.data).toMatchObject({ may_confirm: false, may_refuse: false })
    expect(reasonOf(await as('esi').ask('POST', `${path}/confirm`))).toEqual([403, 'not_permitted'])
    expect(reasonOf(await as('esi').ask('POST', `${path}/refuse`, { reason: 'r' }))).toEqual([403, 'not_permitted'])
    expect((await as('ama').ask('GET', path)).body.data.status).toBe('pending')
  })
})
