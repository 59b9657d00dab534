import { beforeEach, describe, expect, it } from 'vitest'
import { makeTotpCode, makeWrongTotpCode } from '../../test/make-totp-code.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { personCookies } from './auth/person-cookies.ts'

const shop = setUpPeople()
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

async function switchOn(browser: TestBrowser): Promise<{ totp_uri: string; backup_codes: string[]; code: string }> {
  const { data } = (await browser.ask('POST', '/app/api/two-factor', { password: testPassword })).body
  const code = makeTotpCode(data.totp_uri)
  expect((await browser.ask('POST', '/app/api/two-factor/confirm', { code })).status).toBe(200)
  return { ...data, code }
}

async function givePassword(email: string): Promise<TestBrowser> {
  const browser = await shop.browser()
  const answer = await browser.ask('POST', '/app/api/sign-in', { email, password: testPassword })
  expect(answer.body.data).toEqual({ status: 'second_factor' })
  return browser
}

describe('the second factor', () => {
  it('counts only after a code has confirmed it, and takes the password', async () => {
    const browser = await shop.makeMember('confirm@example.test')
    expect((await browser.ask('POST', '/app/api/two-factor', { password: 'wrong password' })).status).toBe(401)
    const { data } = (await browser.ask('POST', '/app/api/two-factor', { password: testPassword })).body
    expect(data.totp_uri).toMatch(/^otpauth:\/\/totp\/Makola/)
    const unconfirmed = await shop.browser()
    const answer = await unconfirmed.ask('POST', '/app/api/sign-in', { email: 'confirm@example.test', password: testPassword })
    expect(answer.body.data).toEqual({ status: 'signed_in' })
    expect((await browser.ask('POST', '/app/api/two-factor/confirm', { code: makeWrongTotpCode(data.totp_uri) })).status).toBe(
      401,
    )
    expect((await browser.ask('GET', '/app/api/me')).body.data.person.has_two_factor).toBe(false)
    expect((await browser.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })).status).toBe(200)
    expect((await browser.ask('GET', '/app/api/me')).body.data.person.has_two_factor).toBe(true)
    // The session that was opened with the password alone has ended.
    expect((await unconfirmed.ask('GET', '/app/api/me')).status).toBe(401)
    expect((await browser.ask('POST', '/app/api/two-factor', { password: testPassword })).status).toBe(409)
  })

  it('is asked for after the password: without it there is no session, with it there is a new one', async () => {
    await switchOn(await shop.makeMember('both@example.test'))
    const { totp_uri } = await renew('both2@example.test')
    const browser = await givePassword('both2@example.test')
    expect([...browser.cookies.keys()]).toEqual([personCookies.secondFactor])
    const [pair = '', ...flags] = browser.lastSetCookies[0]?.split('; ') ?? []
    expect(pair).toMatch(/^__Host-/)
    expect(flags.map((flag) => flag.toLowerCase())).toEqual(
      expect.arrayContaining(['httponly', 'secure', 'samesite=lax', 'path=/']),
    )
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)
    const wrong = await browser.ask('POST', '/app/api/second-factor', { code: makeWrongTotpCode(totp_uri) })
    expect([wrong.status, wrong.headers['x-error-reason']]).toEqual([401, 'wrong_code'])
    const right = await browser.ask('POST', '/app/api/second-factor', { code: await shop.codeOnceMore(totp_uri) })
    expect(right.body.data).toEqual({ status: 'signed_in' })
    expect([...browser.cookies.keys()].toSorted()).toEqual([personCookies.device, personCookies.session])
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(200)
  })

  it('is not passed by a code without the password, nor by the session of somebody else', async () => {
    const { totp_uri } = await renew('alone@example.test')
    const browser = await shop.browser()
    const without = await browser.ask('POST', '/app/api/second-factor', { code: makeTotpCode(totp_uri) })
    expect([without.status, without.headers['x-error-reason']]).toEqual([401, 'sign_in_again'])
    const stranger = await shop.makeMember('other@example.test')
    const mine = await stranger.ask('POST', '/app/api/second-factor', { code: makeTotpCode(totp_uri) })
    expect(mine.status).toBe(401)
  })

  it('asks for the password again after five wrong codes, and takes no code after ten tries, right ones neither', async () => {
    const { totp_uri } = await renew('wrong@example.test')
    for (const wrongCodes of [5, 4]) {
      const browser = await givePassword('wrong@example.test')
      for (let tries = 0; tries < wrongCodes; tries += 1) {
        const answer = await browser.ask('POST', '/app/api/second-factor', { code: makeWrongTotpCode(totp_uri) })
        expect(answer.headers['x-error-reason']).toBe('wrong_code')
      }
      if (wrongCodes < 5) continue
      const sixth = await browser.ask('POST', '/app/api/second-factor', { code: await shop.codeOnceMore(totp_uri) })
      expect([sixth.status, sixth.headers['x-error-reason']]).toEqual([401, 'sign_in_again'])
    }
    const locked = await (await givePassword('wrong@example.test')).ask('POST', '/app/api/second-factor', {
      code: await shop.codeOnceMore(totp_uri),
    })
    expect([locked.status, locked.headers['x-error-reason'], locked.headers['retry-after']]).toEqual([
      429,
      'too_many_tries',
      '3600',
    ])
  })

  it('takes each code once, whoever gives it: not after it switched the factor on, and of many at once one', async () => {
    const browser = await shop.makeMember('once@example.test')
    const { totp_uri, code: used } = await switchOn(browser)
    const first = await (await givePassword('once@example.test')).ask('POST', '/app/api/second-factor', { code: used })
    expect([first.status, first.headers['x-error-reason']]).toEqual([401, 'wrong_code'])

    const several = await Promise.all([1, 2, 3].map(() => givePassword('once@example.test')))
    const code = await shop.codeOnceMore(totp_uri)
    const answers = await Promise.all(several.map((each) => each.ask('POST', '/app/api/second-factor', { code })))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401'])
    expect((await browser.ask('POST', '/app/api/confirm', { code })).status).toBe(401)
  })

  it('is replaced by a back-up code, each of which works once', async () => {
    const { backup_codes } = await renew('backup@example.test')
    const [code] = backup_codes
    expect(backup_codes).toHaveLength(10)
    expect(backup_codes.join('')).toMatch(/^[34679acdefghjkmnpqrtwxy-]+$/)
    const first = await givePassword('backup@example.test')
    // As a person types it: in capitals, with spaces in place of the dash.
    const typed = ` ${(code ?? '').toUpperCase().replace('-', '  ')} `
    expect((await first.ask('POST', '/app/api/second-factor', { backup_code: typed, code: 'no code' })).status).toBe(200)
    const confirmed = await first.ask('POST', '/app/api/confirm', { password: testPassword, code: 'no code' })
    expect(confirmed.status).toBe(200)
    const second = await givePassword('backup@example.test')
    expect((await second.ask('POST', '/app/api/second-factor', { backup_code: code })).status).toBe(401)
    const renewed = (await first.ask('POST', '/app/api/two-factor/backup-codes', { password: testPassword })).body.data
    expect((await second.ask('POST', '/app/api/second-factor', { backup_code: backup_codes[1] })).status).toBe(401)
    expect((await second.ask('POST', '/app/api/second-factor', { backup_code: renewed.backup_codes[0] })).status).toBe(200)
  })

  it('opens one session with a back-up code that six sign-ins give at once; the others are refused with a reason', async () => {
    const { backup_codes } = await renew('raced@example.test')
    const racers = await Promise.all(Array.from({ length: 6 }, () => givePassword('raced@example.test')))
    const answers = await Promise.all(
      racers.map((each) => each.ask('POST', '/app/api/second-factor', { backup_code: backup_codes[0] })),
    )
    const reasons = answers.map(({ status, headers }) => `${status} ${String(headers['x-error-reason'])}`)
    expect(reasons.filter((each) => each.startsWith('200'))).toHaveLength(1)
    expect(reasons.filter((each) => /^(401 wrong_code|409 code_raced)$/.test(each))).toHaveLength(5)
    const person = shop.db.selectFrom('persons').select('id').where('email', '=', 'raced@example.test')
    const { id } = await person.executeTakeFirstOrThrow()
    // One session switched the second factor on; the other one is that of the request whose code was accepted.
    expect(await shop.db.selectFrom('person_sessions').select('id').where('person_id', '=', id).execute()).toHaveLength(2)
  })

  it.each(['backup_code', 'code'] as const)(
    'is looked at ten times at most when 25 wrong ones come at once (%s)',
    async (field) => {
      const email = `many-${field}@example.test`
      const { totp_uri } = await renew(email)
      const racers: TestBrowser[] = []
      for (let count = 0; count < 25; count += 1) racers.push(await givePassword(email))
      await shop.db.deleteFrom('rate_limits').execute()
      const wrong = field === 'code' ? makeWrongTotpCode(totp_uri) : 'wrong-wrong'
      const answers = await Promise.all(racers.map((each) => each.ask('POST', '/app/api/second-factor', { [field]: wrong })))
      const reasons = answers.map(({ headers }) => headers['x-error-reason'])
      expect(reasons.filter((reason) => reason === 'wrong_code')).toHaveLength(10)
      expect(reasons.filter((reason) => reason === 'too_many_tries')).toHaveLength(15)
    },
  )

  it('begins a new count of tries after a right code', async () => {
    const { totp_uri } = await renew('patient@example.test')
    const nineWrong = async () => {
      for (let tries = 0; tries < 9; tries += 1) {
        const browser = await givePassword('patient@example.test')
        const answer = await browser.ask('POST', '/app/api/second-factor', { code: makeWrongTotpCode(totp_uri) })
        expect(answer.headers['x-error-reason']).toBe('wrong_code')
      }
    }
    const code = async () => ({ code: await shop.codeOnceMore(totp_uri) })
    await nineWrong()
    expect((await (await givePassword('patient@example.test')).ask('POST', '/app/api/second-factor', await code())).status).toBe(
      200,
    )
    await nineWrong()
    expect((await (await givePassword('patient@example.test')).ask('POST', '/app/api/second-factor', await code())).status).toBe(
      200,
    )
  })

  it('is switched off with the password', async () => {
    const browser = await shop.makeMember('off@example.test')
    await switchOn(browser)
    expect((await browser.ask('POST', '/app/api/two-factor/switch-off', { password: 'wrong password' })).status).toBe(401)
    expect((await browser.ask('POST', '/app/api/two-factor/switch-off', { password: testPassword })).status).toBe(200)
    expect((await browser.ask('GET', '/app/api/me')).body.data.person.has_two_factor).toBe(false)
    expect((await browser.ask('POST', '/app/api/two-factor/switch-off', { password: testPassword })).status).toBe(409)
    expect(
      await shop.db
        .selectFrom('person_two_factors')
        .innerJoin('persons', 'persons.id', 'person_id')
        .select('persons.id')
        .where('email', '=', 'off@example.test')
        .execute(),
    ).toEqual([])
  })

  async function renew(email: string) {
    return switchOn(await shop.makeMember(email))
  }
})

describe('the confirmation of a session', () => {
  const forget = (db = shop.app.database.ownerDb) =>
    db
      .updateTable('person_sessions')
      .set({ confirmed_at: new Date(0) })
      .execute()
  const confirmedUntil = async (browser: TestBrowser) =>
    (await browser.ask('GET', '/app/api/me')).body.data.person.confirmed_until

  it('comes with the password, lasts ten minutes, and is given again by the password or a code', async () => {
    const browser = await shop.makeMember('step@example.test')
    const { totp_uri } = await switchOn(browser)
    expect(Date.parse(await confirmedUntil(browser)) - Date.now()).toBeLessThanOrEqual(600_000)
    await forget()
    expect(await confirmedUntil(browser)).toBeNull()
    expect((await browser.ask('POST', '/app/api/confirm', { password: 'wrong password' })).status).toBe(401)
    expect((await browser.ask('POST', '/app/api/confirm', { code: makeWrongTotpCode(totp_uri) })).status).toBe(401)
    expect(await confirmedUntil(browser)).toBeNull()
    const byPassword = await browser.ask('POST', '/app/api/confirm', { password: testPassword })
    expect(await confirmedUntil(browser)).toBe(byPassword.body.data.confirmed_until)
    await forget()
    const code = await shop.codeOnceMore(totp_uri)
    expect((await browser.ask('POST', '/app/api/confirm', { code })).status).toBe(200)
    expect(await confirmedUntil(browser)).not.toBeNull()
  })

  it('is refused with any code after ten wrong ones, as a sign-in is, and still comes with the password', async () => {
    const browser = await shop.makeMember('locked@example.test')
    const { totp_uri } = await switchOn(browser)
    await shop.db.deleteFrom('rate_limits').execute()
    for (let tries = 0; tries < 10; tries += 1) {
      const answer = await browser.ask('POST', '/app/api/confirm', { code: makeWrongTotpCode(totp_uri) })
      expect(answer.headers['x-error-reason']).toBe('wrong_code')
    }
    await shop.db.deleteFrom('rate_limits').execute()
    const code = await shop.codeOnceMore(totp_uri)
    const locked = await browser.ask('POST', '/app/api/confirm', { code })
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '3600'])
    const elsewhere = await (await givePassword('locked@example.test')).ask('POST', '/app/api/second-factor', { code })
    expect([elsewhere.status, elsewhere.headers['retry-after']]).toEqual([429, '3600'])
    expect((await browser.ask('POST', '/app/api/confirm', { password: testPassword })).status).toBe(200)
  })

  it('is refused with a code where there is no second factor, and after ten tries', async () => {
    const browser = await shop.makeMember('tries@example.test')
    expect((await browser.ask('POST', '/app/api/confirm', { code: '123456' })).status).toBe(409)
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await browser.ask('POST', '/app/api/confirm', { password: 'wrong password' })).status).toBe(401)
    }
    expect((await browser.ask('POST', '/app/api/confirm', { password: testPassword })).status).toBe(429)
  })
})
