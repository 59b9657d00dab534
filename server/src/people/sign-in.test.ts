import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openBrowser } from '../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { personCookies } from './auth/person-cookies.ts'

const shop = setUpPeople()
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})
const signIn = (email: string, password = testPassword) => ['POST', '/app/api/sign-in', { email, password }] as const

describe('signing in', () => {
  it('sets two cookies that no script sees, for this host over HTTPS alone: the session, and the known device', async () => {
    const browser = await shop.makeMember('cookie@example.test')
    await browser.ask('POST', '/app/api/sign-out')
    await browser.ask(...signIn('Cookie@Example.test'))
    const flagsByName = Object.fromEntries(
      browser.lastSetCookies.map((cookie) => {
        const [pair = '', ...flags] = cookie.toLowerCase().split('; ')
        return [pair.slice(0, pair.indexOf('=')), flags.toSorted()]
      }),
    )
    const flags = (seconds: number) => ['httponly', `max-age=${seconds}`, 'path=/', 'samesite=lax', 'secure']
    expect(flagsByName).toEqual({ '__host-makola_session': flags(604_800), '__host-makola_device': flags(15_552_000) })
  })

  it('begins a session of its own each time: one that was there before is not taken over, and ends', async () => {
    const browser = await shop.makeMember('fixation@example.test')
    const before = browser.cookies.get(personCookies.session) ?? ''
    const other = await shop.browser()
    other.cookies.set(personCookies.session, before)
    await other.ask(...signIn('fixation@example.test'))
    expect(other.cookies.get(personCookies.session)).not.toBe(before)
    expect((await other.ask('GET', '/app/api/me')).status).toBe(200)
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)
  })

  it.each([
    ['made up', () => 'x'.repeat(32)],
    ['a token without a signature', (cookie: string) => decodeURIComponent(cookie).split('.')[0] ?? ''],
    ['a token with another signature', (cookie: string) => `${decodeURIComponent(cookie).split('.')[0]}.${'A'.repeat(43)}=`],
    ['two tokens', (cookie: string) => `${cookie},${cookie}`],
  ])('takes no cookie that is %s', async (_, change) => {
    const browser = await shop.makeMember(`forged-${Math.random().toString(36).slice(2)}@example.test`)
    browser.cookies.set(personCookies.session, change(browser.cookies.get(personCookies.session) ?? ''))
    const answer = await browser.ask('GET', '/app/api/me')
    expect([answer.status, answer.headers['x-error-reason']]).toEqual([401, 'not_signed_in'])
  })

  it('does not say whether an e-mail is known: the words are the same, and both cost a hash of a password', async () => {
    await shop.makeMember('real@example.test')
    const browser = await shop.browser()
    const hashing = vi.spyOn(crypto, 'scrypt')
    syncBuiltinESMExports()
    try {
      const tried = async (email: string) => {
        hashing.mockClear()
        const answer = await browser.ask(...signIn(email, 'wrong password'))
        return [answer.status, answer.headers['x-error-reason'], answer.body.error.message, hashing.mock.calls.length]
      }
      const known = await tried('real@example.test')
      expect(known).toEqual([401, 'wrong_sign_in', 'The e-mail or the password is not right.', 1])
      expect(await tried('unreal@example.test')).toEqual(known)
    } finally {
      hashing.mockRestore()
      syncBuiltinESMExports()
    }
  })

  it('hashes one password at a time, however many sign in at once: each hash takes 32 MB', async () => {
    const emails = ['first@example.test', 'second@example.test', 'third@example.test', 'fourth@example.test']
    for (const email of emails) await shop.makeMember(email)
    await shop.db.deleteFrom('rate_limits').execute()
    const hash = crypto.scrypt
    let hashingNow = 0
    const atOnce: number[] = []
    const count = (...[password, salt, length, options, done]: Parameters<typeof hash>) => {
      atOnce.push(++hashingNow)
      hash(password, salt, length, options, (error, key) => {
        hashingNow -= 1
        done(error, key)
      })
    }
    vi.spyOn(crypto, 'scrypt').mockImplementation(count)
    syncBuiltinESMExports()
    try {
      const browsers = await Promise.all(emails.map(() => shop.browser()))
      const answers = await Promise.all(browsers.map((browser, index) => browser.ask(...signIn(emails[index] ?? '', 'wrong'))))
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
      expect(atOnce).toEqual([1, 1, 1, 1])
    } finally {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    }
  })

  it('is refused after ten tries for one e-mail, known or not, with the time to wait, also with the right password', async () => {
    await shop.makeMember('guessed@example.test')
    const browser = await shop.browser()
    for (const email of ['guessed@example.test', 'nobody@example.test']) {
      const statuses: number[] = []
      for (let tries = 0; tries < 10; tries += 1) statuses.push((await browser.ask(...signIn(email, 'wrong password'))).status)
      expect(new Set(statuses)).toEqual(new Set([401]))
      const blocked = await browser.ask(...signIn(email.toUpperCase()))
      expect([blocked.status, blocked.headers['x-error-reason']]).toEqual([429, 'too_many_tries'])
      expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(blocked.headers['retry-after'])).toBeLessThanOrEqual(900)
    }
  })

  it('counts for all processes together, and begins a new count after a right password', async () => {
    await shop.makeMember('counted@example.test')
    const other = await shop.app.startAnother()
    const browser = await shop.browser()
    const wrong = () => browser.ask(...signIn('counted@example.test', 'wrong password'))
    for (let tries = 0; tries < 9; tries += 1) await wrong()
    expect((await browser.ask(...signIn('counted@example.test'))).status).toBe(200)
    for (let tries = 0; tries < 10; tries += 1) expect((await wrong()).status).toBe(401)
    const elsewhere = await openBrowser({ url: other.url, dataDir: shop.app.dataDir })
    elsewhere.cookies.set(personCookies.device, browser.cookies.get(personCookies.device) ?? '')
    expect((await elsewhere.ask(...signIn('counted@example.test'))).status).toBe(429)
    await elsewhere.close()
  })

  it('stays open to its owner while a stranger gives wrong passwords: from another address, and from a known device', async () => {
    const email = 'envied@example.test'
    const known = await shop.makeMember(email)
    await known.ask('POST', '/app/api/sign-out')
    const stranger = await shop.browser()
    for (let tries = 0; tries < 10; tries += 1) await stranger.ask(...signIn(email, 'wrong password'))
    expect((await stranger.ask(...signIn(email))).status).toBe(429)
    expect((await (await shop.browser('127.0.0.2')).ask(...signIn(email))).status).toBe(200)
    expect((await known.ask(...signIn(email))).status).toBe(200)
  })

  it('is refused on a known device after ten tries too, and one e-mail’s device is unknown to another e-mail', async () => {
    const browser = await shop.makeMember('device@example.test')
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await browser.ask(...signIn('device@example.test', 'wrong password'))).status).toBe(401)
    }
    expect((await browser.ask(...signIn('device@example.test'))).status).toBe(429)
    const other = 'other-device@example.test'
    const theirs = await shop.makeMember(other)
    for (let tries = 0; tries < 10; tries += 1) await (await shop.browser()).ask(...signIn(other, 'wrong password'))
    expect((await browser.ask(...signIn(other))).status).toBe(429)
    const altered = theirs.cookies.get(personCookies.device)?.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    theirs.cookies.set(personCookies.device, altered ?? '')
    expect((await theirs.ask(...signIn(other))).status).toBe(429)
  })

  it('takes a cookie of a known device that holds other letters than ours for that of no device', async () => {
    const browser = await shop.makeMember('strange-device@example.test')
    const { device } = personCookies
    const [id = '', signature = ''] = browser.cookies.get(device)?.split('.') ?? []
    browser.cookies.set(device, `${id}.${'\u00e9'.repeat(signature.length)}`)
    expect((await browser.ask(...signIn('strange-device@example.test'))).status).toBe(200)
  })

  it('keeps a device known to the last five people who signed in there', async () => {
    const emails = ['1', '2', '3', '4', '5', '6'].map((number) => `shared-${number}@example.test`)
    const shared = await shop.browser()
    for (const email of emails) {
      await shop.makeMember(email)
      expect((await shared.ask(...signIn(email))).status).toBe(200)
    }
    const stranger = await shop.browser()
    const statusFor = async (email: string) => {
      for (let tries = 0; tries < 10; tries += 1) await stranger.ask(...signIn(email, 'wrong password'))
      return (await shared.ask(...signIn(email))).status
    }
    expect([await statusFor(emails[0]!), await statusFor(emails[1]!), await statusFor(emails[5]!)]).toEqual([429, 200, 200])
  })

  it('is refused to unknown devices when fifty passwords for one e-mail came from many addresses', async () => {
    const email = 'searched@example.test'
    const known = await shop.makeMember(email)
    for (let address = 2; address < 7; address += 1) {
      const stranger = await shop.browser(`127.0.0.${address}`)
      for (let tries = 0; tries < 10; tries += 1) expect((await stranger.ask(...signIn(email, 'wrong'))).status).toBe(401)
    }
    expect((await (await shop.browser('127.0.0.7')).ask(...signIn(email))).status).toBe(429)
    expect((await known.ask(...signIn(email))).status).toBe(200)
  })

  it('is refused from an address that tries many e-mails', async () => {
    const browser = await shop.browser()
    await browser.ask(...signIn('first@example.test'))
    await shop.app.database.ownerDb
      .updateTable('rate_limits')
      .set({ points: 200 })
      .where('key', 'like', 'person sign_in address %')
      .execute()
    expect((await browser.ask(...signIn('second@example.test'))).status).toBe(429)
  })
})

describe('a request that changes something', () => {
  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of this host over HTTP', { origin: 'http://localhost' }],
    ['of a sandbox', { origin: 'null' }],
    ['of no origin', { origin: undefined }],
    ['of no origin and another site', { origin: undefined, 'sec-fetch-site': 'cross-site' }],
    ['of no origin and a neighbouring site', { origin: undefined, 'sec-fetch-site': 'same-site' }],
    ['of our origin and another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused when it comes from a page %s, before anything is looked at', async (_, headers) => {
    const browser = await shop.browser()
    for (const face of ['app', 'desk']) {
      const answer = await browser.ask('POST', `/${face}/api/sign-out`, undefined, headers)
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([403, 'foreign_origin'])
    }
  })

  it.each([
    ['an origin of ours', {}],
    ['no origin, but the word of the browser that it is the same', { origin: undefined, 'sec-fetch-site': 'same-origin' }],
  ])('is taken with %s', async (_, headers) => {
    expect((await (await shop.browser()).ask('POST', '/app/api/sign-out', undefined, headers)).status).toBe(200)
  })
})

describe('sessions', () => {
  it('are listed and ended by their person; one that was ended elsewhere is refused at once', async () => {
    const browser = await shop.makeMember('sessions@example.test')
    const other = await shop.browser()
    await other.ask(...signIn('sessions@example.test'))
    const { sessions } = (await browser.ask('GET', '/app/api/sessions', undefined, { 'user-agent': 'Phone' })).body.data
    expect(sessions.map((session: { is_this: boolean }) => session.is_this)).toEqual([false, true])
    expect((await browser.ask('DELETE', `/app/api/sessions/${sessions[0].session_id}`)).status).toBe(200)
    expect((await other.ask('GET', '/app/api/me')).status).toBe(401)
    expect((await browser.ask('DELETE', `/app/api/sessions/${sessions[0].session_id}`)).status).toBe(404)

    await other.ask(...signIn('sessions@example.test'))
    expect((await browser.ask('DELETE', '/app/api/sessions')).body.data).toEqual({ ended: 1 })
    expect((await other.ask('GET', '/app/api/me')).status).toBe(401)
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(200)
  })

  it('of another person cannot be ended', async () => {
    const owner = await shop.makeMember('mine@example.test')
    const stranger = await shop.makeMember('stranger@example.test')
    const { sessions } = (await owner.ask('GET', '/app/api/sessions')).body.data
    expect((await stranger.ask('DELETE', `/app/api/sessions/${sessions[0].session_id}`)).status).toBe(404)
    expect((await owner.ask('GET', '/app/api/me')).status).toBe(200)
  })

  it('end with signing out, for every holder of the cookie', async () => {
    const browser = await shop.makeMember('leaving@example.test')
    const copy = await shop.browser()
    copy.cookies.set(personCookies.session, browser.cookies.get(personCookies.session) ?? '')
    await browser.ask('POST', '/app/api/sign-out')
    expect(browser.cookies.has(personCookies.session)).toBe(false)
    expect((await copy.ask('GET', '/app/api/me')).status).toBe(401)
  })

  it('end with signing out, also when the request names the type of a body that it does not have', async () => {
    const browser = await shop.makeMember('typed@example.test')
    const headers = { 'content-type': 'application/json' }
    expect((await browser.ask('POST', '/app/api/sign-out', undefined, headers)).status).toBe(200)
    expect((await browser.ask('POST', '/app/api/sign-out', '', headers)).status).toBe(200)
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)
  })

  it('tell when they were last used, to within five minutes', async () => {
    const browser = await shop.makeMember('used@example.test')
    const age = (minutes: number) =>
      sql`update person_sessions set updated_at = clock_timestamp() - make_interval(mins => ${minutes})`.execute(shop.db)
    const lastUsed = async () => {
      await browser.ask('GET', '/app/api/me')
      const { sessions } = (await browser.ask('GET', '/app/api/sessions')).body.data
      return Math.round((Date.now() - Date.parse(sessions[0].last_used_at)) / 60_000)
    }
    await age(4)
    expect(await lastUsed()).toBe(4)
    await age(6)
    expect(await lastUsed()).toBe(0)
  })

  it('end by themselves when their time is over', async () => {
    const browser = await shop.makeMember('late@example.test')
    await shop.app.database.ownerDb
      .updateTable('person_sessions')
      .set({ expires_at: new Date(0) })
      .execute()
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)
  })
})
