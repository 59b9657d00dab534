import { afterAll, beforeEach, expect, it } from 'vitest'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { personCookies } from '../auth/person-cookies.ts'
import { staffAtDesk } from '../staff-at-desk.fixture.ts'
import { type DirectoryPerson, startDirectoryProvider } from './directory-provider.fixture.ts'

const publicUrl = 'https://makola.test'
let provider: Awaited<ReturnType<typeof startDirectoryProvider>>
const shop = setUpPeople(async () => {
  provider = await startDirectoryProvider(publicUrl)
  const house = { OIDC_DOMAINS: 'House.test', OIDC_GROUP: 'makola', OIDC_TRUSTED_FACTORS: 'mfa' }
  return { environment: { ...provider.environment, ...house, PUBLIC_URL: publicUrl } }
})
const { makeStaffMember, newestLog } = staffAtDesk(shop)
afterAll(() => provider.close())
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

const ama: DirectoryPerson = { sub: 'ama-1', email: 'Ama@house.test', email_verified: true, groups: ['makola', 'all'] }

/** Signs in at the directory, and gives its answer to `answeredIn`. @returns the address to which we redirect that browser */
async function signIn(as: DirectoryPerson | undefined, browser: TestBrowser, answeredIn = browser): Promise<unknown> {
  const { status, headers } = await browser.ask('GET', '/desk/api/directory/begin')
  expect(status).toBe(302)
  const back = await provider.walk(String(headers['location']), as)
  expect(back.origin + back.pathname).toBe(`${publicUrl}/desk/api/directory/callback`)
  const answer = await answeredIn.ask('GET', `${back.pathname}${back.search}`)
  expect([answer.status, answeredIn.cookies.has(personCookies.directory)]).toEqual([302, false])
  return answer.headers['location']
}

it('a member of the staff signs in, and is asked for the second factor unless the directory had one that counts', async () => {
  await makeStaffMember('support', 'ama@house.test')
  const browser = await shop.browser()
  expect((await browser.ask('GET', '/desk/api/directory')).body.data).toEqual({ is_on: true })
  expect(await signIn({ ...ama, amr: ['pwd'] }, browser)).toBe('/desk/second-factor')
  expect((await browser.ask('GET', '/desk/api/me')).status).toBe(401)
  expect(browser.cookies.has(personCookies.secondFactor)).toBe(true)
  const wrong = await browser.ask('POST', '/desk/api/second-factor', { code: '000000' })
  expect([wrong.status, wrong.headers['x-error-reason']]).toEqual([401, 'wrong_code'])

  expect(await signIn({ ...ama, amr: ['pwd', 'mfa'] }, browser)).toBe('/desk')
  const { data } = (await browser.ask('GET', '/desk/api/me')).body
  expect(data).toMatchObject({ role: 'support', person: { email: 'ama@house.test' }, is_second_factor_missing: false })
  expect(await newestLog()).toMatchObject({ action: 'staff tie-to-directory', actor: 'ama@house.test' })
})

it.each<[string, Partial<DirectoryPerson> | undefined]>([
  ['unverified', { email_verified: false }],
  ['unverified', { email: undefined }],
  ['not_allowed', { email: 'ama@house.test.evil.test' }],
  ['not_allowed', { groups: ['all'] }],
  ['not_staff', { email: 'nobody@house.test' }],
  ['other_person', { sub: 'the next Ama' }],
  ['declined', undefined],
])('nobody is let in: %s, for %o', async (reason, change) => {
  const browser = await shop.browser()
  expect(await signIn(change && { ...ama, amr: ['mfa'], ...change }, browser)).toBe(`/desk?refused=${reason}`)
  expect((await browser.ask('GET', '/desk/api/me')).status).toBe(401)
})

it('an answer counts once, in the browser that asked, and leads nowhere but to the desk', async () => {
  const [browser, other] = [await shop.browser(), await shop.browser()]
  const [mine, theirs] = [await shop.browser(), await shop.browser()]
  expect(await signIn({ ...ama, amr: ['mfa'] }, browser, other)).toBe('/desk?refused=over')
  await theirs.ask('GET', '/desk/api/directory/begin')
  expect(await signIn({ ...ama, amr: ['mfa'] }, mine, theirs)).toBe('/desk?refused=over')
  const again = await browser.ask('GET', '/desk/api/directory/callback?code=x&state=y&redirect=https://evil.test')
  expect(again.headers['location']).toBe('/desk?refused=over')
})

it('a removed second factor unties the person, and a reseller is nobody for the directory', async () => {
  const owner = await makeStaffMember('owner', 'owner@house.test')
  const reset = { email: 'ama@house.test', reason: 'has a new account in the directory' }
  expect((await owner.ask('POST', '/desk/api/persons/reset-second-factor', reset)).status).toBe(200)
  const browser = await shop.browser()
  expect(await signIn({ ...ama, sub: 'ama-2' }, browser)).toBe('/desk')
  expect((await browser.ask('GET', '/desk/api/me')).body.data.is_second_factor_missing).toBe(true)
  await shop.makeMember('reseller@house.test')
  expect(await signIn({ ...ama, email: 'reseller@house.test' }, browser)).toBe('/desk?refused=not_staff')
})
