import { beforeEach, describe, expect, it } from 'vitest'
import { makeTotpCode } from '../../test/make-totp-code.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { createFirstStaff } from './staff/invite-staff.ts'

const shop = setUpPeople()
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})
const newPassword = 'another long password'

describe('a forgotten password', () => {
  it('is replaced with the link of a mail, once; every session ends and the person is told', async () => {
    const email = 'forgot@example.test'
    const browser = await shop.makeMember(email)
    const visitor = await shop.browser()
    expect((await visitor.ask('POST', '/app/api/forgot-password', { email: 'FORGOT@example.test' })).status).toBe(200)
    const token = await shop.tokenFor(email)
    const reset = () => visitor.ask('POST', '/app/api/reset-password', { token, password: newPassword })
    expect((await reset()).status).toBe(200)
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)
    const again = await reset()
    expect([again.status, again.headers['x-error-reason']]).toEqual([400, 'link_invalid'])
    const signIn = (password: string) => visitor.ask('POST', '/app/api/sign-in', { email, password })
    expect((await signIn(testPassword)).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
    expect((await shop.mailsTo(email))[0]?.subject).toBe('Your password was changed')
  })

  it('does not say whether the e-mail is known: the answer and the rows are the same, and no mail leaves', async () => {
    await shop.makeMember('reader@example.test')
    const visitor = await shop.browser()
    const ask = (email: string) => visitor.ask('POST', '/app/api/forgot-password', { email })
    const [known, unknown] = [await ask('reader@example.test'), await ask('nobody@example.test')]
    expect([unknown.status, unknown.body.data]).toEqual([known.status, known.body.data])
    const queued = await shop.db.selectFrom('person_mails').select(['email', 'kind']).where('state', '=', 'queued').execute()
    expect(queued).toEqual([
      { email: 'reader@example.test', kind: 'forgot_password' },
      { email: 'nobody@example.test', kind: 'forgot_password' },
    ])
    expect(await shop.mailsTo('nobody@example.test')).toEqual([])
    expect((await shop.mailsTo('reader@example.test'))[0]?.subject).toBe('Choose a new password')
  })

  it('leads whoever is only staff to the desk, and members to the app', async () => {
    await shop.makeMember('works-here@example.test')
    await inTransaction(shop.db, async (tx) => {
      for (const email of ['works-here@example.test', 'office@example.test']) {
        await createFirstStaff(tx, { email, role: 'support', passwordHash: undefined, actor: 'test' })
      }
    })
    const visitor = await shop.browser()
    const pageFor = async (email: string) => {
      await visitor.ask('POST', '/desk/api/forgot-password', { email })
      return /\/(\w+)\/set-password#token=/.exec((await shop.mailsTo(email))[0]?.text ?? '')?.[1]
    }
    expect([await pageFor('office@example.test'), await pageFor('works-here@example.test')]).toEqual(['desk', 'app'])
  })

  it('is mailed about at most five times in a quarter of an hour for one e-mail', async () => {
    const visitor = await shop.browser()
    const statuses: number[] = []
    for (let asked = 0; asked < 6; asked += 1) {
      statuses.push((await visitor.ask('POST', '/app/api/forgot-password', { email: 'flood@example.test' })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('is not replaced with a link that is too old, or too short a password', async () => {
    const email = 'old-link@example.test'
    await shop.makeMember(email)
    const visitor = await shop.browser()
    await visitor.ask('POST', '/app/api/forgot-password', { email })
    const token = await shop.tokenFor(email)
    expect((await visitor.ask('POST', '/app/api/reset-password', { token, password: 'short' })).status).toBe(400)
    await shop.app.database.ownerDb
      .updateTable('person_verifications')
      .set({ expires_at: new Date(0) })
      .execute()
    const late = await visitor.ask('POST', '/app/api/reset-password', { token, password: newPassword })
    expect(late.headers['x-error-reason']).toBe('link_invalid')
  })

  it('ends every other link of the person when it is replaced, also one that has not left yet; this device is known', async () => {
    const email = 'links@example.test'
    await shop.makeMember(email)
    const visitor = await shop.browser()
    const ask = () => visitor.ask('POST', '/app/api/forgot-password', { email })
    const newLink = async () => {
      await ask()
      return shop.tokenFor(email)
    }
    const [older, newer] = [await newLink(), await newLink()]
    await ask()
    const reset = (token: string) => visitor.ask('POST', '/app/api/reset-password', { token, password: newPassword })
    expect((await reset(newer)).status).toBe(200)
    expect((await reset(older)).headers['x-error-reason']).toBe('link_invalid')
    expect((await shop.mailsTo(email)).map(({ subject }) => subject).slice(0, 2)).toEqual([
      'Your password was changed',
      'Choose a new password',
    ])
    expect((await shop.mailsTo(email)).filter(({ subject }) => subject === 'Choose a new password')).toHaveLength(2)
    const stranger = await shop.browser()
    for (let tries = 0; tries < 10; tries += 1) {
      await stranger.ask('POST', '/app/api/sign-in', { email, password: 'wrong password' })
    }
    expect((await visitor.ask('POST', '/app/api/sign-in', { email, password: newPassword })).status).toBe(200)
  })

  it('is replaced once when a link is used several times at once', async () => {
    const email = 'race@example.test'
    await shop.makeMember(email)
    const visitor = await shop.browser()
    await visitor.ask('POST', '/app/api/forgot-password', { email })
    const token = await shop.tokenFor(email)
    const answers = await Promise.all(
      ['first password 1', 'second password 2', 'third password 3'].map((password) =>
        visitor.ask('POST', '/app/api/reset-password', { token, password }),
      ),
    )
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400', '400'])
  })
})

describe('changing the password', () => {
  it('takes the present one, and ends the other sessions', async () => {
    const email = 'change@example.test'
    const browser = await shop.makeMember(email)
    const other = await shop.browser()
    await other.ask('POST', '/app/api/sign-in', { email, password: testPassword })
    const change = (current_password: string) =>
      browser.ask('POST', '/app/api/change-password', { current_password, password: newPassword })
    const wrong = await change('not the password')
    expect([wrong.status, wrong.headers['x-error-reason']]).toEqual([401, 'wrong_password'])
    expect((await change(testPassword)).status).toBe(200)
    expect((await other.ask('GET', '/app/api/me')).status).toBe(401)
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(200)
    expect((await other.ask('POST', '/app/api/sign-in', { email, password: newPassword })).status).toBe(200)
  })

  it('ends the links that were sent before, and sign-ins that wait for the second factor', async () => {
    const email = 'change-links@example.test'
    const browser = await shop.makeMember(email)
    await browser.ask('POST', '/app/api/forgot-password', { email })
    const token = await shop.tokenFor(email)
    const { totp_uri } = (await browser.ask('POST', '/app/api/two-factor', { password: testPassword })).body.data
    await browser.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(totp_uri) })
    const waiting = await shop.browser()
    await waiting.ask('POST', '/app/api/sign-in', { email, password: testPassword })
    const change = { current_password: testPassword, password: newPassword }
    expect((await browser.ask('POST', '/app/api/change-password', change)).status).toBe(200)
    const reset = await waiting.ask('POST', '/app/api/reset-password', { token, password: 'a third long password' })
    expect([reset.status, reset.headers['x-error-reason']]).toEqual([400, 'link_invalid'])
    const code = await shop.codeOnceMore(totp_uri)
    const late = await waiting.ask('POST', '/app/api/second-factor', { code })
    expect([late.status, late.headers['x-error-reason']]).toEqual([401, 'sign_in_again'])
  })
})
