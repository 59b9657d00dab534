import { beforeEach, expect, it } from 'vitest'
import { makeTotpCode } from '../../../test/make-totp-code.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { reasonOf, staffAtDesk } from '../staff-at-desk.fixture.ts'
import { createSoftAuthenticator } from './soft-authenticator.fixture.ts'

const shop = setUpPeople()
const { makeStaffMember, newestLog } = staffAtDesk(shop)
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

const told = () => ({ origin: shop.app.url })

async function optionsOf(browser: TestBrowser, path: string): Promise<string> {
  const { status, body } = await browser.ask('POST', path)
  expect(status).toBe(200)
  return body.data.options
}

/** A member with the second factor on, and a passkey beside it. */
async function withPasskey(email: string) {
  const browser = await shop.makeMember(email)
  const { data } = (await browser.ask('POST', '/app/api/two-factor', { password: testPassword })).body
  await browser.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })
  const authenticator = createSoftAuthenticator()
  const passkey = authenticator.make(await optionsOf(browser, '/app/api/passkeys/options'), told())
  expect((await browser.ask('POST', '/app/api/passkeys', { name: 'My phone', passkey })).status).toBe(200)
  return { browser, authenticator, totpUri: data.totp_uri as string }
}

async function givePassword(email: string): Promise<TestBrowser> {
  const browser = await shop.browser()
  const { body } = await browser.ask('POST', '/app/api/sign-in', { email, password: testPassword })
  expect(body.data).toEqual({ status: 'second_factor', has_passkey: true })
  return browser
}

const second = '/app/api/second-factor'

it('a passkey ends a sign-in once, and also while wrong codes lock the codes; a mail told of it', async () => {
  const { authenticator } = await withPasskey('ends@example.test')
  expect((await shop.mailsTo('ends@example.test'))[0]?.subject).toBe('A passkey was added to your sign-in')
  await shop.db
    .updateTable('person_two_factors')
    .set({ locked_until: new Date(Date.now() + 3_600_000) })
    .execute()
  const browser = await givePassword('ends@example.test')
  const passkey = authenticator.sign(await optionsOf(browser, `${second}/options`), told())
  // The same signature is refused from another browser, which waits for its own second factor.
  const stranger = await givePassword('ends@example.test')
  expect(reasonOf(await stranger.ask('POST', second, { passkey }))).toEqual([401, 'wrong_passkey'])
  expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)
  expect((await browser.ask('POST', second, { passkey })).body.data).toEqual({ status: 'signed_in' })
  const { data } = (await browser.ask('GET', '/app/api/me')).body
  expect(data.person).toMatchObject({ email: 'ends@example.test', has_two_factor: true, has_passkey: true })
  const [listed] = (await browser.ask('GET', '/app/api/passkeys')).body.data.passkeys
  expect(listed).toMatchObject({ name: 'My phone', last_used_at: expect.any(String) })
  await shop.db.updateTable('person_two_factors').set({ locked_until: null }).execute()
})

it('what is falsified or used before is refused: origin, name of the page, user verification, challenge, count, key', async () => {
  const { authenticator } = await withPasskey('false@example.test')
  const { authenticator: another } = await withPasskey('another@example.test')
  const browser = await givePassword('false@example.test')
  const options = () => optionsOf(browser, `${second}/options`)
  const used = authenticator.sign(await options(), { ...told(), count: 7 })
  const wrong = [
    authenticator.sign(await options(), { origin: 'https://evil.example' }),
    authenticator.sign(await options(), { ...told(), rpId: 'evil.example' }),
    authenticator.sign(await options(), { ...told(), isVerified: false }),
    authenticator.sign(JSON.stringify({ challenge: 'bWFkZSB1cA' }), told()),
    another.sign(await options(), told()),
    createSoftAuthenticator().sign(await options(), told()),
    '{"id":"x","response":null}',
    'no JSON',
  ]
  for (const passkey of wrong) {
    expect(reasonOf(await browser.ask('POST', second, { passkey }))).toEqual([401, 'wrong_passkey'])
  }
  // Passkeys that were made for the name `localhost` do not count at another address of the same server.
  const { host } = new URL(shop.app.url.replace('localhost', '127.0.0.1'))
  const passkey = authenticator.sign(await options(), { origin: `https://${host}` })
  const elsewhere = await browser.ask('POST', second, { passkey }, { origin: `https://${host}`, host })
  expect(reasonOf(elsewhere)).toEqual([401, 'wrong_passkey'])
  expect((await browser.ask('POST', second, { passkey: used })).status).toBe(200)
  expect(reasonOf(await browser.ask('POST', '/app/api/confirm', { passkey: used }))).toEqual([401, 'wrong_passkey'])
  const copied = authenticator.sign(await optionsOf(browser, '/app/api/confirm/options'), { ...told(), count: 7 })
  expect(reasonOf(await browser.ask('POST', '/app/api/confirm', { passkey: copied }))).toEqual([401, 'wrong_passkey'])
})

it('a passkey confirms a session, and is added and removed only in a confirmed one; then it opens nothing', async () => {
  const { browser, authenticator, totpUri } = await withPasskey('confirms@example.test')
  const longAgo = new Date(Date.now() - 3_600_000)
  await shop.db.updateTable('person_sessions').set({ confirmed_at: longAgo }).execute()
  expect(reasonOf(await browser.ask('POST', '/app/api/passkeys/options'))).toEqual([403, 'confirmation_needed'])
  const [{ passkey_id }] = (await browser.ask('GET', '/app/api/passkeys')).body.data.passkeys
  const path = `/app/api/passkeys/${passkey_id}`
  expect(reasonOf(await browser.ask('DELETE', path))).toEqual([403, 'confirmation_needed'])
  const passkey = authenticator.sign(await optionsOf(browser, '/app/api/confirm/options'), told())
  expect((await browser.ask('POST', '/app/api/confirm', { passkey })).status).toBe(200)
  const { browser: other } = await withPasskey('other@example.test')
  expect((await other.ask('DELETE', path)).status).toBe(404)
  expect((await browser.ask('DELETE', path)).status).toBe(200)
  const waiting = await shop.browser()
  const answer = await waiting.ask('POST', '/app/api/sign-in', { email: 'confirms@example.test', password: testPassword })
  expect(answer.body.data).toEqual({ status: 'second_factor' })
  expect(reasonOf(await waiting.ask('POST', `${second}/options`))).toEqual([409, 'no_passkey'])
  expect((await waiting.ask('POST', second, { code: await shop.codeOnceMore(totpUri) })).status).toBe(200)
})

it('needs the second factor on, and goes with it; the desk counts those of colleagues, and the log has them', async () => {
  const none = await shop.makeMember('none@example.test')
  expect(reasonOf(await none.ask('POST', '/app/api/passkeys/options'))).toEqual([409, 'second_factor_is_off'])
  expect(reasonOf(await none.ask('POST', `${second}/options`))).toEqual([401, 'sign_in_again'])

  const owner = await makeStaffMember('owner', 'owner@makola.test')
  const { browser, authenticator } = await withPasskey('support@example.test')
  const { id } = await shop.db
    .selectFrom('persons')
    .select('id')
    .where('email', '=', 'support@example.test')
    .executeTakeFirstOrThrow()
  await shop.db.insertInto('staff').values({ person_id: id, role: 'support' }).execute()
  const more = createSoftAuthenticator().make(await optionsOf(browser, '/desk/api/passkeys/options'), told())
  expect((await browser.ask('POST', '/desk/api/passkeys', { name: 'Blue key', passkey: more })).status).toBe(200)
  expect(reasonOf(await browser.ask('POST', '/desk/api/passkeys', { name: 'Blue key', passkey: more }))).toEqual([
    401,
    'wrong_passkey',
  ])
  expect(await newestLog()).toMatchObject({ actor: 'support@example.test', action: 'staff add-passkey', subject: id })
  const listed = (await owner.ask('GET', '/desk/api/staff')).body.data.staff as { person_id: string; passkeys: number }[]
  expect(listed.find((each) => each.person_id === id)?.passkeys).toBe(2)

  const reset = { email: 'support@example.test', reason: 'lost everything, called from the number we know' }
  expect((await owner.ask('POST', '/desk/api/persons/reset-second-factor', reset)).status).toBe(200)
  expect(await shop.db.selectFrom('person_passkeys').select('id').where('person_id', '=', id).execute()).toEqual([])
  expect(authenticator).toBeDefined()
})
