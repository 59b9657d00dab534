import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makePasswordLink } from '../../server/src/people/mails/make-link.ts'
import { signInTexts } from '../../server/src/people/phone/phone.settings.ts'
import { createFirstStaff } from '../../server/src/people/staff/invite-staff.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { writeSetting } from '../../server/src/platform/settings/settings.ts'
import { makeTotpCode } from '../../server/test/make-totp-code.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { emailOf, passwordOfAll } from './make-team.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser()

const password = 'three market words'
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const typePassword = (page: Page, text: string) => page.getByRole('textbox', { name: 'Password' }).fill(text)

async function signIn(page: Page, email: string, text: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await typePassword(page, text)
  await press(page, 'Sign in')
}

/** Opens the link of the newest mail to this address, on the page where a demo shows its mails. */
async function openLinkOfMail(page: Page, email: string): Promise<void> {
  await page.goto('/app/mail')
  await shop.mailsTo(email)
  await expectVisible(page.getByText(`to ${email}`))
  await page.getByRole('link', { name: '#token=' }).first().click()
}

/**
 * Switches the second factor on, from the password to the back-up codes.
 * @returns the address for the app, and one back-up code
 */
async function switchSecondFactorOn(page: Page, text: string): Promise<{ totpUri: string; backupCode: string }> {
  await typePassword(page, text)
  await press(page, 'Switch on')
  await expectVisible(page.getByRole('img', { name: 'QR code' }))
  const totpUri = (await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href')) ?? ''
  const key = (await page.getByLabel('Key', { exact: true }).innerText()).replaceAll(' ', '')
  expect(new URL(totpUri).searchParams.get('secret')).toBe(key)
  await expectNoAxeViolations(page)
  await page.getByLabel('Code that the app shows now').fill(makeTotpCode(totpUri))
  await press(page, 'Switch on')
  const codes = page.getByRole('region', { name: 'Keep these back-up codes' })
  const backupCode = await codes.getByRole('listitem').first().innerText()
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')])
  expect(download.suggestedFilename()).toBe('makola-back-up-codes.txt')
  await expectNoAxeViolations(page)
  await press(page, 'I have kept them')
  return { totpUri, backupCode }
}

/**
 * Makes a valid code at once. A code works once, so this forgets which code was used last instead of waiting for the next one.
 */
async function codeOnceMore(totpUri: string): Promise<string> {
  await shop.db.updateTable('person_two_factors').set({ last_code_step: null }).execute()
  return makeTotpCode(totpUri)
}

test.each([
  [360, 'light'],
  [1280, 'dark'],
] as const)(
  'a newcomer opens an account, confirms the e-mail, switches the second factor on and comes back with a code, %i pixels wide, %s',
  async (width, colorScheme) => {
    const email = `newcomer-${width}@example.test`
    const page = await shop.openPage({ width, colorScheme })
    await page.getByRole('link', { name: 'Open an account' }).click()
    await page.getByLabel('Name of you').fill('Esi Owusu')
    await page.getByLabel('E-mail').fill(email)
    await typePassword(page, password)
    await expectNoAxeViolations(page)
    await press(page, 'Open the account')
    await expectVisible(heading(page, 'Check your e-mail'))
    await page.getByRole('link', { name: 'This demo keeps its mails here' }).click()
    await expectVisible(heading(page, 'Mails of this demo'))
    await expectNoAxeViolations(page)
    await openLinkOfMail(page, email)
    await expectVisible(heading(page, 'Confirm your e-mail'))
    expect(new URL(page.url()).hash).toBe('')
    await typePassword(page, password)
    await press(page, 'Confirm and enter')
    await expectVisible(page.getByRole('navigation', { name: 'Screens' }))

    await page.goto('/app/profile')
    await expectVisible(heading(page, 'Profile'))
    await expectNoAxeViolations(page)
    await page.getByRole('link', { name: /Second factor/ }).click()
    const { totpUri, backupCode } = await switchSecondFactorOn(page, password)
    await expectVisible(page.getByRole('button', { name: 'Make new codes' }))
    await expectNoAxeViolations(page)

    await page.goto('/app/profile')
    await press(page, 'Sign out')
    await signIn(page, email, password)
    await page.getByLabel('Code').waitFor()
    await expectNoAxeViolations(page)
    // A code is good for half a minute or a little more, so nothing that takes long comes after it.
    await page.getByLabel('Code').fill(await codeOnceMore(totpUri))
    await press(page, 'Go on')
    await expectVisible(page.getByRole('navigation', { name: 'Screens' }))

    await page.goto('/app/profile')
    await press(page, 'Sign out')
    await signIn(page, email, password)
    await press(page, 'I do not have my phone: use a back-up code')
    await page.getByLabel('Back-up code').fill(backupCode)
    await press(page, 'Go on')
    await expectVisible(page.getByRole('navigation', { name: 'Screens' }))
  },
)

test('a second factor that is said to be lost is told in a session, and stopped there with one click', async () => {
  const email = emailOf('buyer')
  const page = await shop.openPage({ as: 'buyer', path: '/app/profile/second-factor' })
  await switchSecondFactorOn(page, passwordOfAll)
  const stranger = await shop.openPage({})
  await signIn(stranger, email, passwordOfAll)
  await press(stranger, 'I do not have my phone: use a back-up code')
  await press(stranger, 'I lost my phone and my codes')
  await expectVisible(stranger.getByText('We know now, and sent you a mail'))
  await expectNoAxeViolations(stranger)
  await page.reload()
  await expectVisible(page.getByText('that you lost your second factor'))
  await expectNoAxeViolations(page)
  await press(page, 'It was not me: stop it')
  await expectVisible(heading(page, 'Password'))
  await page.getByText('that you lost your second factor').waitFor({ state: 'detached' })
  expect(await shop.db.selectFrom('lost_factors').select('id').execute()).toEqual([])
})

test('a link without its token says what to do, and one that is over leads to a new one', async () => {
  const page = await shop.openPage({ path: '/app/set-password' })
  await expectVisible(heading(page, 'This link is incomplete'))
  await page.goto('/app/set-password#token=nonsense')
  // The page removes the token from its address when it has read it. Only after that does a reload find no token.
  await expectVisible(page.getByRole('textbox', { name: 'New password' }))
  await page.reload()
  await expectVisible(heading(page, 'This link is incomplete'))
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await page.getByLabel('E-mail').fill(emailOf('buyer'))
  await press(page, 'Send the link')
  await expectVisible(heading(page, 'Check your e-mail'))
  await expectNoAxeViolations(page)
  const token = await shop.tokenFor(emailOf('buyer'))
  for (const [given, outcome] of [
    ['nonsense', page.getByRole('alert')],
    [token, heading(page, 'Your password is saved')],
  ] as const) {
    await page.goto(`/app/set-password#token=${given}`)
    await page.getByRole('textbox', { name: 'New password' }).fill(password)
    await press(page, 'Save the password')
    await expectVisible(outcome)
  }
})

test('a session that was ended elsewhere says so, and signing in leads back to where the person was', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/profile' })
  await expectVisible(heading(page, 'Profile'))
  const other = await shop.openPage({ as: 'owner', path: '/app/profile/sessions', width: 1280 })
  await expectVisible(other.getByText('This one'))
  await expectNoAxeViolations(other)
  shop.expectFaults(/503/)
  await other.route('**/sessions/*', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 })
  await other.getByRole('button', { name: /^End the session of/ }).click()
  await expectVisible(other.getByRole('alert'))
  await press(other, 'End all others')
  await expectVisible(other.getByText('1 session has ended.'))

  await page.getByRole('link', { name: /Sessions/ }).click()
  await expectVisible(page.getByText('Your session has ended.'))
  await expectNoAxeViolations(page)
  await signIn(page, emailOf('owner'), passwordOfAll)
  await expectVisible(heading(page, 'Sessions'))
  expect(new URL(page.url()).pathname).toBe('/app/profile/sessions')
})

test('after signing out nothing of the person is left in the page, and the way back shows none of it', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/profile/sessions' })
  await expectVisible(heading(page, 'Sessions'))
  await page.goto('/app/profile')
  await expectVisible(heading(page, 'Profile'))
  await page.evaluate("sessionStorage.setItem('makola.reference.buy', 'web-1'); localStorage.setItem('makola.draft', 'x')")
  await press(page, 'Sign out')
  await expectVisible(page.getByLabel('E-mail'))
  expect(await page.evaluate("sessionStorage.length + (localStorage.getItem('makola.draft') ?? '').length")).toBe(0)
  await page.goBack()
  expect(new URL(page.url()).pathname).toBe('/app/profile/sessions')
  await expectVisible(page.getByLabel('E-mail'))
  expect(await page.getByText('Adom Ventures').count()).toBe(0)
})

test('an owner who gave the password lately invites somebody, who joins with the link and sees what a viewer may', async () => {
  const owner = await shop.openPage({ as: 'owner', path: '/app/team', width: 1280 })
  await owner.getByLabel('E-mail').fill('friend@example.test')
  await owner.getByRole('radio', { name: 'Viewer' }).check()
  await shop.app.database.ownerDb
    .updateTable('person_sessions')
    .set({ confirmed_at: new Date(0) })
    .execute()
  await press(owner, 'Send the invitation')
  await owner.getByRole('dialog', { name: 'Is it you?' }).getByRole('textbox', { name: 'Password' }).fill(passwordOfAll)
  await press(owner, 'Go on')
  await expectVisible(owner.getByText('The invitation to friend@example.test is on its way.'))
  await expectNoAxeViolations(owner)

  const friend = await shop.openPage({ path: null })
  await openLinkOfMail(friend, 'friend@example.test')
  await expectVisible(heading(friend, 'Join Adom Ventures'))
  await typePassword(friend, password)
  await press(friend, 'Join')
  await friend.getByRole('link', { name: 'More' }).click()
  await expectVisible(heading(friend, 'More'))
  const namesOf = (page: Page) => page.locator('nav a').allInnerTexts()
  await owner.reload()
  await expectVisible(owner.getByRole('button', { name: 'Change friend' }))
  for (const screen of ['Team', 'Buy']) {
    expect([screen, (await namesOf(owner)).includes(screen)]).toEqual([screen, true])
    expect([screen, (await namesOf(friend)).includes(screen)]).toEqual([screen, false])
  }

  // A double tap is one tap: it asks, and does not remove anybody.
  await press(owner, 'Change friend')
  await owner.getByRole('button', { name: 'Remove from the team' }).dblclick()
  await expectVisible(owner.getByRole('button', { name: 'Remove now' }))
  await owner.keyboard.press('Escape')
  await owner.reload()
  await expectVisible(owner.getByRole('button', { name: 'Change friend' }))

  await press(owner, 'Change owner')
  const dialog = owner.getByRole('dialog', { name: 'Change owner' })
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  // While the change is on its way, the dialog stays, because a refusal would be seen by nobody.
  const gate = Promise.withResolvers<undefined>()
  await owner.route('**/app/api/team/members/*', async (route) => {
    await gate.promise
    await route.continue()
  })
  const isSent = owner.waitForRequest('**/app/api/team/members/*')
  await press(owner, 'Save the role')
  await isSent
  await owner.keyboard.press('Escape')
  await owner.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  gate.resolve(undefined)
  await expectVisible(dialog.getByText('This is the last owner of the account.'))
  await expectNoAxeViolations(owner)
})

test('somebody of the staff chooses a password with the operator’s link, and sees nothing before the second factor', async () => {
  const email = 'finance@makola.test'
  await inTransaction(shop.db, (tx) => createFirstStaff(tx, { email, role: 'finance', passwordHash: undefined, actor: 'test' }))
  const link = await makePasswordLink(shop.people, email, { hours: 72, page: '/desk/set-password' })
  const page = await shop.openPage({ path: new URL(link).pathname + new URL(link).hash, width: 1280 })
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await press(page, 'Save the password')
  await page.getByRole('link', { name: 'Go to the sign-in' }).click()
  await expectVisible(heading(page, 'Sign in'))
  await expectNoAxeViolations(page)
  await signIn(page, email, password)
  await expectVisible(heading(page, 'Second factor'))
  expect(await page.getByText('Where you are signed in').count()).toBe(0)
  await switchSecondFactorOn(page, password)
  await expectVisible(heading(page, 'Needs you'))
  await page.getByRole('link', { name: 'You', exact: true }).first().click()
  await expectVisible(heading(page, 'finance'))
  await expectVisible(page.getByText('Where you are signed in', { exact: false }))
  await expectNoAxeViolations(page)
})

test('a passkey is added beside the codes, ends a sign-in and confirms that it is you, and is removed', async () => {
  const page = await shop.openPage({ as: 'viewer' })
  await page.goto('/app/profile/second-factor')
  await switchSecondFactorOn(page, passwordOfAll)
  const chromium = await page.context().newCDPSession(page)
  await chromium.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await chromium.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true } })

  await press(page, 'Add a passkey')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Its name').fill('My phone')
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  const passkeys = page.getByRole('list', { name: 'Passkeys' })
  await expectVisible(passkeys.getByText('Not used yet'))
  await expectNoAxeViolations(page)

  await page.context().clearCookies()
  await page.goto('/app')
  await signIn(page, emailOf('viewer'), passwordOfAll)
  await expectVisible(page.getByLabel('Code'))
  await expectNoAxeViolations(page)
  await press(page, 'Use a passkey')
  await expectVisible(page.getByRole('navigation', { name: 'Screens' }))

  await shop.db
    .updateTable('person_sessions')
    .set({ confirmed_at: new Date(0) })
    .execute()
  await page.goto('/app/profile/second-factor')
  await expectVisible(passkeys.getByText('Last used'))
  await press(page, 'Remove the passkey “My phone”?')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await press(page, 'Use a passkey')
  await expectVisible(page.getByRole('button', { name: 'Add a passkey' }))
  await passkeys.getByText('My phone').waitFor({ state: 'detached' })
})

test('a phone number is confirmed by its code, and is a way to a new password', async () => {
  await writeSetting(shop.db, signInTexts, true, 'test')
  const phone = '0241234567'
  const email = emailOf('owner')
  const codeOfText = async () => /^\d{6}/.exec((await shop.mailsTo(phone))[0]?.text ?? '')?.[0] ?? ''
  const page = await shop.openPage({ as: 'owner', path: '/app/profile/phone' })
  await page.getByLabel('Phone number').fill('+233 24 123 4567')
  await press(page, 'Text me a code')
  await expectVisible(page.getByText('We sent a text to 024 123 4567'))
  await expectNoAxeViolations(page)
  await page.getByLabel('Code of the text').fill(await codeOfText())
  await press(page, 'Confirm')
  await expectVisible(page.getByRole('listitem').filter({ hasText: '024 123 4567' }).getByText('Confirmed'))
  await expectNoAxeViolations(page)

  const forgot = await shop.openPage({ path: '/app/forgot-password' })
  await forgot.getByRole('link', { name: 'I cannot open my mail' }).click()
  await forgot.getByLabel('E-mail').fill(email)
  await forgot.getByLabel('Phone number').fill('024 123 4567')
  await press(forgot, 'Text me a code')
  await expectVisible(forgot.getByText('a code is on its way'))
  await expectNoAxeViolations(forgot)
  await forgot.getByLabel('Code of the text').fill(await codeOfText())
  await forgot.getByRole('textbox', { name: 'New password' }).fill(password)
  await press(forgot, 'Save the password')
  await forgot.getByRole('link', { name: 'Go to the sign-in' }).click()
  await signIn(forgot, email, password)
  await expectVisible(forgot.getByRole('navigation', { name: 'Screens' }))
})
