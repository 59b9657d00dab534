import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { untilTrue } from '../../../test/patience.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { sendPersonMails } from '../mails/send-person-mails.ts'
import { createMember, createStaff, setMemberRole } from '../manage-people.ts'
import { purgeExpiredPersonRows } from '../people-timers.ts'
import { insertPerson } from '../person-rows.ts'

const shop = setUpPeople()
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

type Listed = { person_id: string; email: string; role: string; is_you: boolean }
const teamOf = async (owner: TestBrowser) => (await owner.ask('GET', '/app/api/team')).body.data
const invite = (owner: TestBrowser, email: string, role = 'buyer') =>
  owner.ask('POST', '/app/api/team/invitations', { email, role })
const join = async (token: string, password = testPassword) => {
  const browser = await shop.browser()
  return { browser, answer: await browser.ask('POST', '/app/api/join', { token, password }) }
}
const idOf = async (owner: TestBrowser, email: string) =>
  ((await teamOf(owner)).members as Listed[]).find((member) => member.email === email)?.person_id ?? ''
const reasonOf = ({ status, headers }: { status: number; headers: object }) => [status, Reflect.get(headers, 'x-error-reason')]

/** Invites a new person, who accepts. */
async function bring(owner: TestBrowser, email: string, role: string): Promise<TestBrowser> {
  expect((await invite(owner, email, role)).status).toBe(200)
  const { browser, answer } = await join(await shop.tokenFor(email))
  expect(answer.body.data).toEqual({ status: 'signed_in' })
  return browser
}

describe('an invitation', () => {
  it('makes nobody a member before its link is opened; then the person chooses a password and is in, with the role', async () => {
    const owner = await shop.makeMember('boss@example.test')
    expect((await invite(owner, 'Kofi@Example.test')).body.data).toEqual({ accepted: true })
    const { members, invitations } = await teamOf(owner)
    expect(members).toMatchObject([{ email: 'boss@example.test', role: 'owner', is_you: true, has_two_factor: false }])
    expect(invitations).toMatchObject([{ email: 'kofi@example.test', role: 'buyer' }])
    const person = shop.db.selectFrom('persons').select('id').where('email', '=', 'kofi@example.test')
    expect(await person.execute()).toEqual([])

    const [mail] = await shop.mailsTo('kofi@example.test')
    expect(mail?.subject).toBe('Join Ama Mensah')
    const token = await shop.tokenFor('kofi@example.test')
    expect(reasonOf((await join(token, 'short')).answer)).toEqual([400, 'invalid_request'])
    const { browser } = await join(token)
    const me = (await browser.ask('GET', '/app/api/me')).body.data
    expect([me.account.email, me.role]).toEqual(['boss@example.test', 'buyer'])
    expect((await teamOf(owner)).invitations).toEqual([])
    expect(reasonOf((await join(token)).answer)).toEqual([400, 'link_invalid'])
    expect(reasonOf(await browser.ask('GET', '/app/api/team'))).toEqual([403, 'not_permitted'])
  })

  it('names its team and role to the reader of the link, and says nothing to others', async () => {
    const owner = await shop.makeMember('shown@example.test')
    await invite(owner, 'invited-shown@example.test', 'viewer')
    const token = await shop.tokenFor('invited-shown@example.test')
    const browser = await shop.browser()
    const show = (given: string) => browser.ask('POST', '/app/api/show-invitation', { token: given })
    expect((await show(token)).body.data).toEqual({ account_name: 'Ama Mensah', role: 'viewer', has_password: false })
    expect((await show(`${token}x`)).status).toBe(400)
    expect((await join(token)).answer.status).toBe(200)
    expect((await show(token)).status).toBe(400)
  })

  it('lets in who has a password only with it', async () => {
    const [one, other] = [await shop.makeMember('one@example.test'), await shop.makeMember('other@example.test')]
    await bring(one, 'moves@example.test', 'viewer')
    await one.ask('DELETE', `/app/api/team/members/${await idOf(one, 'moves@example.test')}`)
    await invite(other, 'moves@example.test')
    const token = await shop.tokenFor('moves@example.test')
    expect(reasonOf((await join(token, 'not the password')).answer)).toEqual([401, 'wrong_sign_in'])
    const { browser } = await join(token)
    expect((await browser.ask('GET', '/app/api/me')).body.data.account.email).toBe('other@example.test')
  })

  it('does not say whether an e-mail is known; its reader learns that one person acts for one account', async () => {
    const owner = await shop.makeMember('curious@example.test')
    await shop.makeMember('taken@example.test')
    const [known, unknown] = [await invite(owner, 'taken@example.test'), await invite(owner, 'untaken@example.test')]
    expect([known.status, known.body.data]).toEqual([unknown.status, unknown.body.data])
    expect((await teamOf(owner)).invitations).toHaveLength(2)
    const token = await shop.tokenFor('taken@example.test')
    expect(reasonOf((await join(token)).answer)).toEqual([409, 'acts_for_another'])
    expect(reasonOf(await invite(owner, 'curious@example.test'))).toEqual([409, 'is_member_already'])
  })

  it('lets a person who opens those of two accounts at the same moment into one of them', async () => {
    const owners = [await shop.makeMember('first@example.test'), await shop.makeMember('second@example.test')]
    for (const email of ['both@example.test', 'known-to-both@example.test']) {
      if (email.startsWith('known')) {
        const known = { personId: newId(), name: 'Ama', email, isVerified: true }
        await inTransaction(shop.db, (tx) => insertPerson(tx, known))
      }
      const tokens: string[] = []
      for (const owner of owners) {
        await invite(owner, email)
        tokens.push(await shop.tokenFor(email))
      }
      const joined = await Promise.all(tokens.map((token) => join(token)))
      const reasons = joined.map(({ answer }) => reasonOf(answer))
      expect(reasons).toContainEqual([200, undefined])
      expect(reasons).toContainEqual([409, 'acts_for_another'])
    }
  })

  it('keeps the password that it brought when the staff invite the same unconfirmed person at this moment', async () => {
    const email = 'unconfirmed@example.test'
    const owner = await shop.makeMember('inviting@example.test')
    const { account_id: account } = (await owner.ask('GET', '/app/api/me')).body.data.account
    const known = { personId: newId(), name: 'Ama', email, isVerified: false }
    await inTransaction(shop.db, (tx) => insertPerson(tx, known))
    const { ownerDb } = shop.app.database
    const untilWaiting = (count: number) =>
      untilTrue(
        async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(ownerDb)
          return rows.length >= count
        },
        () => `there are never ${count} that wait`,
      )
    const lock = (tx: Tx, table: string) => sql.raw(`lock table ${table} in share mode`).execute(tx)
    const { all } = await ownerDb.transaction().execute(async (tx) => {
      await lock(tx, 'person_sessions')
      const member = inTransaction(shop.db, (other) =>
        createMember(other, { account, role: 'buyer', email, passwordHash: 'chosen', actor: 'test' }),
      )
      await untilWaiting(1)
      // Passwords cannot be deleted until that has been committed.
      const locked = ownerDb.transaction().execute((other) => lock(other, 'person_credentials'))
      await untilWaiting(2)
      const staff = inTransaction(shop.db, (other) =>
        createStaff(other, { role: 'auditor', email, passwordHash: undefined, actor: 'test' }),
      )
      await untilWaiting(3)
      return { all: Promise.all([staff, member, locked]) }
    })
    expect((await all)[0]).toEqual({ personId: known.personId, email, isPasswordSet: true })
  })

  it('is over when it is sent again, taken back, too old, or its owner is no owner any more', async () => {
    const owner = await shop.makeMember('careful@example.test')
    await invite(owner, 'guest@example.test')
    const first = await shop.tokenFor('guest@example.test')
    await invite(owner, 'guest@example.test', 'viewer')
    const second = await shop.tokenFor('guest@example.test')
    expect(reasonOf((await join(first)).answer)).toEqual([400, 'link_invalid'])
    const { invitations } = await teamOf(owner)
    expect(invitations).toMatchObject([{ email: 'guest@example.test', role: 'viewer' }])
    const withdraw = () => owner.ask('DELETE', `/app/api/team/invitations/${invitations[0].invitation_id}`)
    expect((await withdraw()).status).toBe(200)
    expect((await withdraw()).status).toBe(404)
    expect(reasonOf((await join(second)).answer)).toEqual([400, 'link_invalid'])

    const partner = await bring(owner, 'partner@example.test', 'owner')
    await invite(partner, 'friend@example.test')
    const ofPartner = await shop.tokenFor('friend@example.test')
    await owner.ask('PATCH', `/app/api/team/members/${await idOf(owner, 'partner@example.test')}`, { role: 'viewer' })
    expect(reasonOf((await join(ofPartner)).answer)).toEqual([400, 'link_invalid'])

    await invite(owner, 'late@example.test')
    const late = await shop.tokenFor('late@example.test')
    await shop.db
      .updateTable('member_invitations')
      .set({ expires_at: new Date(0) })
      .execute()
    expect(reasonOf((await join(late)).answer)).toEqual([400, 'link_invalid'])
    await purgeExpiredPersonRows(shop.db)
    expect(
      await shop.db.selectFrom('member_invitations').select('id').where('email', '=', 'late@example.test').execute(),
    ).toEqual([])
  })

  it('is not sent by an owner who stops being one in the same moment', async () => {
    const owner = await shop.makeMember('staying@example.test')
    const leaving = await bring(owner, 'leaving@example.test', 'owner')
    const { id: accountId } = await shop.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', 'staying@example.test')
      .executeTakeFirstOrThrow()
    const { asked } = await inTransaction(shop.db, async (tx) => {
      await setMemberRole(tx, { account: accountId, email: 'leaving@example.test', role: 'viewer', actor: 'the test' })
      let isAnswered = false
      const answer = invite(leaving, 'accomplice@example.test').finally(() => {
        isAnswered = true
      })
      await untilTrue(
        async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.db)
          return isAnswered || rows.length > 0
        },
        () => 'the invitation neither waits nor is answered',
      )
      return { asked: answer }
    })
    expect(reasonOf(await asked)).toEqual([403, 'not_permitted'])
    expect((await teamOf(owner)).invitations).toEqual([])
  })

  it('whose mail leaves late names its end, and is not sent after it', async () => {
    const owner = await shop.makeMember('patient@example.test')
    const sendNow = () =>
      sendPersonMails({ ...shop.people, log: pino({ level: 'silent' }), mailServer: undefined, isKeeping: true })
    const setEnd = (expires_at: Date) =>
      shop.db.updateTable('member_invitations').set({ expires_at }).where('email', '=', 'waits@example.test').execute()
    await invite(owner, 'waits@example.test')
    await setEnd(new Date('2099-11-29T08:15:00Z'))
    await sendNow()
    const [mail] = await shop.mailsTo('waits@example.test')
    expect(mail?.text).toContain('It works once, until 29 Nov 2099, 08:15 GMT.')
    await invite(owner, 'waits@example.test')
    await setEnd(new Date(0))
    await sendNow()
    const states = shop.db.selectFrom('person_mails').select('state').where('email', '=', 'waits@example.test').orderBy('id')
    expect(await states.execute()).toEqual([{ state: 'kept' }, { state: 'dropped' }])
  })

  it('that was taken back before its mail left sends none', async () => {
    const owner = await shop.makeMember('quick@example.test')
    await invite(owner, 'nothing@example.test')
    const { invitations } = await teamOf(owner)
    await owner.ask('DELETE', `/app/api/team/invitations/${invitations[0].invitation_id}`)
    await sendPersonMails({ ...shop.people, log: pino({ level: 'silent' }), mailServer: undefined, isKeeping: true })
    const mail = shop.db.selectFrom('person_mails').select('state').where('email', '=', 'nothing@example.test')
    expect(await mail.execute()).toEqual([{ state: 'dropped' }])
  })
})

describe('a team', () => {
  it('is changed by an owner who gave the password lately: a role counts at once, who is removed is out at once', async () => {
    const owner = await shop.makeMember('chief@example.test')
    const buyer = await bring(owner, 'seller@example.test', 'buyer')
    const path = `/app/api/team/members/${await idOf(owner, 'seller@example.test')}`
    expect((await owner.ask('PATCH', path, { role: 'viewer' })).status).toBe(200)
    expect((await buyer.ask('GET', '/app/api/me')).body.data).toMatchObject({
      role: 'viewer',
      permissions: ['look', 'report_problems'],
    })
    await shop.app.database.ownerDb
      .updateTable('person_sessions')
      .set({ confirmed_at: new Date(0) })
      .execute()
    expect(reasonOf(await owner.ask('DELETE', path))).toEqual([403, 'confirmation_needed'])
    await owner.ask('POST', '/app/api/confirm', { password: testPassword })
    expect((await owner.ask('DELETE', path)).status).toBe(200)
    expect((await buyer.ask('GET', '/app/api/me')).status).toBe(401)
    expect((await owner.ask('DELETE', path)).status).toBe(404)
    const log = await shop.db.selectFrom('operator_log').select(['actor', 'action']).orderBy('id', 'desc').limit(4).execute()
    expect(log.map(({ action }) => action)).toEqual(['member remove', 'member set-role', 'member create', 'member invite'])
    expect(new Set(log.map(({ actor }) => actor))).toEqual(new Set(['person:chief@example.test']))
  })

  it('keeps an owner, also when two owners remove each other in the same moment', async () => {
    const owner = await shop.makeMember('alpha@example.test')
    const me = await idOf(owner, 'alpha@example.test')
    const path = (id: string) => `/app/api/team/members/${id}`
    expect(reasonOf(await owner.ask('DELETE', path(me)))).toEqual([409, 'last_owner'])
    expect(reasonOf(await owner.ask('PATCH', path(me), { role: 'viewer' }))).toEqual([409, 'last_owner'])
    const second = await bring(owner, 'beta@example.test', 'owner')
    const other = await idOf(owner, 'beta@example.test')
    const answers = await Promise.all([owner.ask('DELETE', path(other)), second.ask('DELETE', path(me))])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const owners = shop.db
      .selectFrom('members')
      .innerJoin('accounts', 'accounts.id', 'members.account_id')
      .select('members.person_id')
      .where('accounts.email', '=', 'alpha@example.test')
    expect(await owners.execute()).toHaveLength(1)
  })

  it('of another account is out of reach', async () => {
    const [owner, stranger] = [await shop.makeMember('mine@example.test'), await shop.makeMember('theirs@example.test')]
    const path = `/app/api/team/members/${await idOf(owner, 'mine@example.test')}`
    expect((await stranger.ask('DELETE', path)).status).toBe(404)
    expect((await stranger.ask('PATCH', path, { role: 'viewer' })).status).toBe(404)
    await invite(owner, 'somebody@example.test')
    const { invitations } = await teamOf(owner)
    const withdrawal = await stranger.ask('DELETE', `/app/api/team/invitations/${invitations[0].invitation_id}`)
    expect(withdrawal.status).toBe(404)
  })
})
