import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../test/create-signed-in-staff.ts'
import { makeTotpCode } from '../../../test/make-totp-code.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import { refuseOneUser } from '../../platform/approvals/two-people.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { removeStaff } from '../staff/manage-staff.ts'
import { processLoosenings } from '../staff/process-loosenings.ts'
import { reasonOf } from '../staff-at-desk.fixture.ts'
import { lostFactorWaitHours } from './lost-factor.settings.ts'
import { endForgottenLostFactors } from './lost-factors.ts'
import { lostFactorKind } from './reset-by-people.ts'

const shop = setUpPeople()
let ama: TestBrowser
let kofi: TestBrowser
beforeAll(async () => {
  ama = await createSignedInStaff(shop, 'ama@desk.test', 'owner')
  kofi = await createSignedInStaff(shop, 'kofi@desk.test', 'support')
})
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

const signIn = (browser: TestBrowser, email: string) => browser.ask('POST', '/app/api/sign-in', { email, password: testPassword })

/** Makes a member with a second factor, who gives the password in another browser and reports the factor as lost there. */
async function loseFactor(email: string) {
  const session = await shop.makeMember(email)
  const { data } = (await session.ask('POST', '/app/api/two-factor', { password: testPassword })).body
  await session.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })
  const loser = await shop.browser()
  await signIn(loser, email)
  expect((await loser.ask('POST', '/app/api/second-factor/lost')).status).toBe(200)
  const { account, person } = (await session.ask('GET', '/app/api/me')).body.data
  const path = `/desk/api/accounts/${account.account_id}/members/${person.person_id}`
  const propose = (by: TestBrowser) => by.ask('POST', `${path}/reset-second-factor`, { reason: 'called the number we know' })
  return { email, session, loser, path, propose }
}

const hasFactor = async (email: string) =>
  (await shop.db.selectFrom('persons').select('two_factor_enabled').where('email', '=', email).executeTakeFirstOrThrow())
    .two_factor_enabled

const needs = async () =>
  ((await ama.ask('GET', '/desk/api/needs')).body.data.needs as { name: string; lines: { text: string }[] }[]).find(
    ({ name }) => name === 'lost-factors',
  )?.lines

describe('a lost second factor of a reseller’s person', () => {
  it('is taken away by two of the staff; the password alone then lets nobody in, and a new factor comes first', async () => {
    const { email, session, loser, propose } = await loseFactor('two@example.test')
    expect((await session.ask('GET', '/app/api/me')).body.data.factor_lost_at).toMatch(/^20/)
    expect((await needs())?.[0]?.text).toContain(email)
    const { state, approval_id: id } = (await propose(kofi)).body.data
    expect(state).toBe('proposed')
    expect(await needs()).toBeUndefined()
    expect((await kofi.ask('POST', `/desk/api/approvals/${id}/confirm`)).status).toBe(409)
    expect(await hasFactor(email)).toBe(true)
    expect((await ama.ask('POST', `/desk/api/approvals/${id}/confirm`)).status).toBe(200)
    expect(await hasFactor(email)).toBe(false)
    expect((await session.ask('GET', '/app/api/me')).status).toBe(401)
    expect(reasonOf(await signIn(loser, email))).toEqual([403, 'email_not_verified'])
    const token = await shop.tokenFor(email)
    expect((await loser.ask('POST', '/app/api/verify', { token, password: testPassword })).status).toBe(200)
    expect((await loser.ask('GET', '/app/api/me')).body.data).toMatchObject({
      is_second_factor_missing: true,
      factor_lost_at: null,
    })
    expect(reasonOf(await loser.ask('GET', '/app/api/orders'))).toEqual([403, 'second_factor_needed'])
    const { data } = (await loser.ask('POST', '/app/api/two-factor', { password: testPassword })).body
    await loser.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })
    expect((await loser.ask('GET', '/app/api/orders')).status).toBe(200)
    const { checks } = await runAudit(shop.db, allAuditChecks, { isFull: true })
    expect(checks['second_factor_taken_away_without_its_approval']).toBe(0)
  })

  it('is stopped by the person with one click, in a session and by the link of the mail, also when the staff agreed', async () => {
    for (const way of ['session', 'link'] as const) {
      const { email, session, loser, propose } = await loseFactor(`${way}@example.test`)
      const { approval_id: id } = (await propose(kofi)).body.data
      const token = await shop.tokenFor(email)
      const stop = {
        session: () => session.ask('POST', '/app/api/second-factor/keep'),
        link: () => loser.ask('POST', '/app/api/second-factor/keep-by-link', { token }),
      }
      expect((await stop[way]()).status).toBe(200)
      expect((await ama.ask('POST', `/desk/api/approvals/${id}/confirm`)).status).toBe(409)
      expect(await hasFactor(email)).toBe(true)
      expect((await session.ask('GET', '/app/api/me')).body.data.factor_lost_at).toBeNull()
      expect(reasonOf(await loser.ask('POST', '/app/api/second-factor/keep-by-link', { token }))).toEqual([400, 'link_invalid'])
    }
  })

  it('is no more once the person switched it off, or left the account', async () => {
    const off = await loseFactor('off@example.test')
    await off.session.ask('POST', '/app/api/two-factor/switch-off', { password: testPassword })
    expect((await off.session.ask('GET', '/app/api/me')).body.data.factor_lost_at).toBeNull()
    const gone = await loseFactor('gone@example.test')
    const { approval_id: id } = (await gone.propose(kofi)).body.data
    await sql`delete from members using persons where persons.id = members.person_id and email = ${gone.email}`.execute(shop.db)
    const confirmed = await ama.ask('POST', `/desk/api/approvals/${id}/confirm`)
    expect(reasonOf(confirmed)).toEqual([409, 'not_possible'])
    expect(await hasFactor(gone.email)).toBe(true)
  })

  it('is asked for only after the password, by no staff, and refused by one of the staff', async () => {
    const stranger = await shop.browser()
    expect(reasonOf(await stranger.ask('POST', '/app/api/second-factor/lost'))).toEqual([401, 'sign_in_again'])
    await signIn(stranger, 'ama@desk.test')
    expect(reasonOf(await stranger.ask('POST', '/app/api/second-factor/lost'))).toEqual([409, 'ask_an_owner'])
    const { email, path, propose } = await loseFactor('refused@example.test')
    const { approval_id: id } = (await propose(kofi)).body.data
    expect((await kofi.ask('POST', `${path}/keep-second-factor`, { reason: 'it was not the owner' })).status).toBe(200)
    expect((await ama.ask('GET', `/desk/api/approvals/${id}`)).body.data.status).toBe('refused')
    expect(await hasFactor(email)).toBe(true)
  })

  it('waits as long as the setting says where one of the staff decides alone', async () => {
    const { email, propose } = await loseFactor('alone@example.test')
    await inTransaction(shop.db, (tx) => removeStaff(tx, { email: 'kofi@desk.test', actor: 'ama@desk.test' }))
    const owner = shop.app.database.ownerDb
    await sql`alter table ended_rights disable trigger user`.execute(owner)
    await sql`update ended_rights set ended_at = ended_at - interval '8 days'`.execute(owner)
    await propose(ama)
    const ripen = () => processLoosenings(shop.db, allApprovalKinds, { warn: () => undefined })
    const passHours = async (hours: number) => {
      await sql`alter table loosening_notices disable trigger user`.execute(owner)
      await sql`update loosening_notices set notified_at = notified_at - make_interval(hours => ${hours})`.execute(owner)
      await ripen()
    }
    const setHours = (value: number) => ama.ask('POST', '/desk/api/settings/lost_factor_wait_hours', { value, reason: 'because' })
    // A proposal ends after seven days, so a wait of seven days would never be over.
    expect((await setHours(168)).status).toBe(400)
    await setHours(30)
    await ripen()
    expect((await shop.mailsTo('ama@desk.test'))[0]?.text).toContain('30 hours after this mail')
    await passHours(29)
    expect(await hasFactor(email)).toBe(true)
    await passHours(2)
    expect(await hasFactor(email)).toBe(false)
  })

  it('tells one user who typed two names how long it waits, as the setting says', async () => {
    const live = await createTestDatabase()
    try {
      await live.ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
      await writeSetting(live.db, lostFactorWaitHours, 30, 'test')
      const kofi = { by: 'kofi', osUser: 'ama' }
      const why = await inTransaction(live.db, (tx) => refuseOneUser(tx, { osUser: 'ama' }, kofi, lostFactorKind))
      expect(why).toContain('30 hours after the owners were told')
    } finally {
      await live.drop()
    }
  })

  it('is not forgotten after a week while a proposal about it waits', async () => {
    const [alone, proposed] = [await loseFactor('week-alone@example.test'), await loseFactor('week@example.test')]
    expect((await proposed.propose(ama)).status).toBe(200)
    await sql`update lost_factors set asked_at = asked_at - interval '8 days'`.execute(shop.app.database.ownerDb)
    await endForgottenLostFactors(shop.db)
    const isOpen = async ({ session }: typeof alone) =>
      (await session.ask('GET', '/app/api/me')).body.data.factor_lost_at !== null
    expect(await isOpen(alone)).toBe(false)
    expect(await isOpen(proposed)).toBe(true)
  })
})
