import { beforeEach, describe, expect, it } from 'vitest'
import { makeTotpCode } from '../../../test/make-totp-code.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { reasonOf } from '../staff-at-desk.fixture.ts'
import { signInTexts } from './phone.settings.ts'

const shop = setUpPeople()
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
  await shop.db.deleteFrom('person_mails').execute()
  await writeSetting(shop.db, signInTexts, true, 'test')
})

/** The code of the newest text to a number; undefined when none was sent. */
const codeTo = async (phone: string) => /^\d{6}(?= )/.exec((await shop.mailsTo(phone))[0]?.text ?? '')?.[0]

async function makeMemberWithPhone(email: string, phone: string) {
  const browser = await shop.makeMember(email)
  expect((await browser.ask('POST', '/app/api/phone', { phone })).status).toBe(200)
  expect((await browser.ask('POST', '/app/api/phone/confirm', { code: await codeTo(phone) })).status).toBe(200)
  await shop.db.deleteFrom('rate_limits').execute()
  return browser
}

const newPassword = 'five market women'
const recover = async (given: { email: string; phone: string; code: string | undefined }) =>
  (await shop.browser()).ask('POST', '/app/api/reset-password/phone', { ...given, code: given.code ?? '', password: newPassword })
const askCode = async (email: string, phone: string) =>
  (await shop.browser()).ask('POST', '/app/api/forgot-password/phone', { email, phone })
const signIn = async (email: string, password: string) =>
  (await shop.browser()).ask('POST', '/app/api/sign-in', { email, password })

describe('a phone number', () => {
  it('that was typed at the sign-up counts only after its code, of which a mail tells', async () => {
    const [email, phone] = ['typed@example.test', '0241230011']
    const browser = await shop.browser()
    const signUp = { name: 'Ama', email, password: testPassword, phone: '+233 24 123 0011' }
    expect((await browser.ask('POST', '/app/api/sign-up', { ...signUp, phone: '123' })).status).toBe(400)
    await browser.ask('POST', '/app/api/sign-up', signUp)
    await browser.ask('POST', '/app/api/verify', { token: await shop.tokenFor(email), password: testPassword })
    expect((await browser.ask('GET', '/app/api/phone')).body.data).toEqual({ is_offered: true, phone: null, asked_phone: phone })
    await askCode(email, phone)
    expect(await codeTo(phone)).toBeUndefined()
    await browser.ask('POST', '/app/api/phone', { phone })
    expect(reasonOf(await browser.ask('POST', '/app/api/phone/confirm', { code: '000000' }))).toEqual([400, 'wrong_phone_code'])
    expect((await browser.ask('POST', '/app/api/phone/confirm', { code: await codeTo(phone) })).status).toBe(200)
    expect((await browser.ask('GET', '/app/api/phone')).body.data).toMatchObject({ phone, asked_phone: null })
    expect((await shop.mailsTo(email))[0]?.text).toContain('ends in 011 now')
  })

  it('is changed and removed only with the password or a code given lately; the earlier one counts until the new code', async () => {
    const email = 'change@example.test'
    const browser = await makeMemberWithPhone(email, '0241230021')
    await browser.ask('POST', '/app/api/phone', { phone: '0241230022' })
    expect((await browser.ask('GET', '/app/api/phone')).body.data).toMatchObject({
      phone: '0241230021',
      asked_phone: '0241230022',
    })
    await askCode(email, '0241230021')
    const code = await codeTo('0241230021')
    await shop.db
      .updateTable('person_sessions')
      .set({ confirmed_at: new Date(0) })
      .execute()
    for (const method of ['POST', 'DELETE'] as const) {
      const answer = await browser.ask(method, '/app/api/phone', method === 'POST' ? { phone: '0241230023' } : undefined)
      expect(reasonOf(answer)).toEqual([403, 'confirmation_needed'])
    }
    await browser.ask('POST', '/app/api/confirm', { password: testPassword })
    expect((await browser.ask('DELETE', '/app/api/phone')).status).toBe(200)
    expect((await shop.mailsTo(email))[0]?.text).toContain('was removed')
    // A code that was sent before works no more.
    expect(reasonOf(await recover({ email, phone: '0241230021', code }))).toEqual([400, 'wrong_phone_code'])
  })

  it('is not asked for where this installation sends no texts', async () => {
    const browser = await shop.makeMember('without@example.test')
    await writeSetting(shop.db, signInTexts, false, 'test')
    expect((await browser.ask('GET', '/app/api/sign-in/ways')).body.data).toEqual({ phone: false })
    expect(reasonOf(await browser.ask('POST', '/app/api/phone', { phone: '0241230031' }))).toEqual([409, 'no_texts'])
    expect(reasonOf(await askCode('without@example.test', '0241230031'))).toEqual([409, 'no_texts'])
  })
})

describe('a forgotten password', () => {
  it('is replaced with a code to the phone, once; sessions end, a mail tells, and the second factor is still asked for', async () => {
    const [email, phone] = ['forgot@example.test', '0241230041']
    const browser = await makeMemberWithPhone(email, phone)
    const { data } = (await browser.ask('POST', '/app/api/two-factor', { password: testPassword })).body
    await browser.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })
    expect((await askCode(email.toUpperCase(), '024-123-0041')).status).toBe(200)
    const code = await codeTo(phone)
    expect((await recover({ email, phone, code })).status).toBe(200)
    expect(reasonOf(await recover({ email, phone, code }))).toEqual([400, 'wrong_phone_code'])
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)
    expect((await shop.mailsTo(email))[0]?.subject).toBe('Your password was changed')
    expect((await signIn(email, testPassword)).status).toBe(401)
    expect((await signIn(email, newPassword)).body.data).toEqual({ status: 'second_factor' })
  })

  it('gets the same answer for every e-mail and number, and a text only the confirmed number of that person', async () => {
    await makeMemberWithPhone('same@example.test', '0241230051')
    const asked = [
      await askCode('same@example.test', '0241230051'),
      await askCode('same@example.test', '0241230052'),
      await askCode('nobody@example.test', '0241230051'),
    ]
    expect(new Set(asked.map(({ status, body }) => JSON.stringify([status, body.data]))).size).toBe(1)
    expect(await shop.mailsTo('0241230052')).toEqual([])
    const code = await codeTo('0241230051')
    const wrong = [
      await recover({ email: 'same@example.test', phone: '0241230052', code }),
      await recover({ email: 'nobody@example.test', phone: '0241230051', code }),
    ]
    expect(wrong.map(reasonOf)).toEqual([
      [400, 'wrong_phone_code'],
      [400, 'wrong_phone_code'],
    ])
    expect((await recover({ email: 'same@example.test', phone: '0241230051', code })).status).toBe(200)
  })

  it('does not confirm an e-mail: a phone alone is no way past a second factor that was taken away', async () => {
    const [email, phone] = ['unproven@example.test', '0241230061']
    await makeMemberWithPhone(email, phone)
    await shop.db.updateTable('persons').set({ email_verified: false }).where('email', '=', email).execute()
    await askCode(email, phone)
    expect((await recover({ email, phone, code: await codeTo(phone) })).status).toBe(200)
    expect(reasonOf(await signIn(email, newPassword))).toEqual([403, 'email_not_verified'])
  })

  it('takes ten codes in a quarter of an hour, and then not even the right one', async () => {
    const [email, phone] = ['guess@example.test', '0241230071']
    await makeMemberWithPhone(email, phone)
    await askCode(email, phone)
    const code = await codeTo(phone)
    const wrong = code === '123456' ? '654321' : '123456'
    for (let tries = 0; tries < 10; tries += 1) expect((await recover({ email, phone, code: wrong })).status).toBe(400)
    expect(reasonOf(await recover({ email, phone, code }))).toEqual([429, 'too_many_tries'])
  })
})
