import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { writeSetting } from '../../server/src/platform/settings/settings.ts'
import { addPoolSender } from '../../server/src/products/sms/campaigns/decide-sender.ts'
import { smsQuietHours } from '../../server/src/products/sms/sms.settings.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'
import { untilQuiet } from './watch-page.ts'

const shop = setUpShopInBrowser({
  team: { smsCredits: 100 },
  isSimulated: true,
  prepare: async ({ db, startWorker }) => {
    await inTransaction(db, (tx) => addPoolSender(tx, { sender: 'Makola', isDefault: true, actor: 'test' }))
    await inTransaction(db, (tx) => addPoolSender(tx, { sender: 'Kejetia', isDefault: false, actor: 'test' }))
    await startWorker()
  },
})

const receipt = 'You have received GHS 100.00 from KOFI. MTN Mobile Money. New balance GHS 120'

const openComposer = (width: number): Promise<Page> => shop.openPage({ as: 'owner', width, path: '/app/sms/new' })
const write = (page: Page, text: string) => page.getByLabel('Your text').fill(text)
const reach = (page: Page, numbers: string) => page.getByLabel('Numbers, one or many').fill(numbers)

test.each([360, 1280])('a message goes from the composer to delivered, %i pixels wide', async (width) => {
  const page = await openComposer(width)
  await write(page, `Your order’s ready. ${'Come by until six. '.repeat(3)}`)
  await page.getByRole('button', { name: "Replace it with '" }).click()
  await reach(page, '024 123 4567, +233 20 123 4567\n0241234567\n+44 7700 900123')
  await expectVisible(page.getByText('2 numbers ready'))
  await expectVisible(page.getByText('is not a number of Ghana'))
  expect(await page.getByLabel('Makola').isChecked()).toBe(true)
  await page.getByLabel('Kejetia').check()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Send for 2 credits' }).click()
  await expectVisible(page.getByText('Send to 2 numbers?'))
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => page.getByLabel('Delivered').first().innerText()).toBe('2 of 2')
  await expectVisible(page.getByText('Kejetia'))
  await expectVisible(page.getByText('024 123 4567'))
  await expectNoAxeViolations(page)
})

test('the chosen state of a campaign’s numbers stays chosen when no number is in it any more', async () => {
  const page = await openComposer(360)
  await write(page, 'See you at six.')
  await reach(page, '0241234560')
  await page.getByRole('button', { name: 'Send for 1 credit' }).click()
  // For a while the answers say that the text is on its way.
  const isCampaign = (url: URL) => /campaigns\/[^/]+$/.test(url.pathname)
  await page.route(isCampaign, async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = (await answer.json()) as { data: object }
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, delivery: { sent: 1 } } } })
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  const states = page.getByLabel('State', { exact: true })
  await states.selectOption('On the way')
  await page.unroute(isCampaign)
  await expect.poll(() => page.getByLabel('Delivered').first().innerText()).toBe('1 of 1')
  expect(await states.inputValue()).toBe('sent')
})

test('a text that the content policy blocks says why before anything is sent', async () => {
  const page = await openComposer(360)
  await write(page, receipt)
  await reach(page, '0241234567')
  await expectVisible(page.getByText('1 number ready'))
  expect(await page.getByRole('button', { name: /^Send for/ }).isDisabled()).toBe(true)
  await expectVisible(page.getByText(/without balances, transaction numbers/))
})

test.each([360, 1280])('a campaign is scheduled, and cancelled before it leaves, %i pixels wide', async (width) => {
  const page = await shop.openPage({ as: 'buyer', width, path: '/app/sms' })
  const before = await page.getByLabel('SMS credits').innerText()
  await page.getByRole('link', { name: 'New message' }).click()
  await write(page, 'See you tomorrow.')
  await reach(page, '0551234567')
  await page.getByLabel('At a time').check()
  await page.getByRole('button', { name: 'Schedule for 1 credit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
  await page.getByRole('button', { name: 'Cancel the rest' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the rest' }).click()
  await expectVisible(page.getByText('Cancelled', { exact: true }))
  await expectVisible(page.getByText('Credits returned'))
  await page.getByRole('navigation').getByRole('link', { name: 'SMS' }).locator('visible=true').click()
  await expect.poll(() => page.getByLabel('SMS credits').innerText()).toBe(before)
  await expectNoAxeViolations(page)
})

test('a text with {name} shows how it reads and what each costs, asks what the nameless are called, and goes as it was shown', async () => {
  const page = await openComposer(360)
  await write(page, 'Hi ')
  await page.getByRole('button', { name: 'Insert name' }).click()
  expect(await page.getByLabel('Your text').inputValue()).toBe('Hi {name}')
  await write(page, `Hi {name}, ${'come by until six. '.repeat(8)}`.slice(0, 163))
  await reach(page, 'Nana Akosua, 0241234572\n0241234573')
  await expectVisible(page.getByText('1 of 2 has no saved name'))
  expect(await page.getByRole('button', { name: /^Send/ }).isDisabled()).toBe(true)
  await expectVisible(page.getByText('Say what to write where there is no name.'))
  await page.getByLabel('Write instead of the name').fill('you')
  await expectVisible(page.getByText('2 numbers, 1 to 2 SMS each'))
  await expectVisible(page.getByText(/^Hi Nana Akosua, come by/))
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Send for 3 credits' }).click()
  await expectVisible(page.getByRole('dialog').getByText(/^Hi you, come by/))
  await expectNoAxeViolations(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expectVisible(page.getByText('3 credits, up to 2 SMS each'))
  await expect.poll(() => page.getByLabel('Delivered').first().innerText()).toBe('2 of 2')
})

test('a number that is typed while others are on their way stays in its field', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/sms/contacts' })
  /** Sends with the button, types the number while the answer is still to come, and returns what the field has after the answer. */
  const typeMeanwhile = async (label: string, button: string, answer: RegExp) => {
    const gate = Promise.withResolvers<undefined>()
    await page.route(answer, async (route) => {
      await gate.promise
      await route.continue()
    })
    const isSent = page.waitForRequest(answer)
    await page.getByRole('button', { name: button }).click()
    await isSent
    await page.getByLabel(label).fill('0241234591')
    const isAnswered = page.waitForResponse(answer)
    gate.resolve(undefined)
    await (await isAnswered).finished()
    await untilQuiet(page)
    await page.unroute(answer)
    return page.getByLabel(label).inputValue()
  }
  await page.getByLabel('Number').fill('0241234590')
  expect(await typeMeanwhile('Number', 'Forget', /contacts\/233241234590$/)).toBe('0241234591')
  await page.getByLabel('Name of the list').fill('Friends')
  await page.getByRole('button', { name: 'Make' }).click()
  await page.getByLabel('Numbers, with names if you like').fill('0241234590')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Add 1 number' }).waitFor()
  expect(await typeMeanwhile('Numbers, with names if you like', 'Add 1 number', /lists\/[^/]+\/import$/)).toBe('0241234591')
})

test('who has opted out is left out before it is paid, and quiet hours say when the rest goes', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/sms/contacts' })
  await page.getByRole('link', { name: /Opted out/ }).click()
  await page.getByLabel('Numbers, with names if you like').fill('0241234569')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Add 1 number' }).click()
  await expectVisible(page.getByRole('button', { name: 'Remove 233241234569' }))
  await expectNoAxeViolations(page)
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  await writeSetting(shop.db, smsQuietHours, `${clock(-2)}-${clock(2)}`, 'test')
  await page.goto(`${shop.app.url}/app/sms/new`)
  await write(page, 'Sale on Saturday.')
  await reach(page, '0241234569\n0241234570\n0241234571')
  await expectVisible(page.getByText('1 of 3 has opted out and is left out'))
  await expectVisible(page.getByText('Quiet hours: it will be sent at'))
  await page.getByRole('button', { name: 'Send for 2 credits' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expectVisible(page.getByText('1 number had opted out'))
  await expectVisible(page.getByText('Quiet hours: it will be sent at'))
  await writeSetting(shop.db, smsQuietHours, 'off', 'test')
  await expect.poll(() => page.getByLabel('Delivered').first().innerText()).toBe('2 of 2')
})

test('credits are bought from the wallet, and a draft and a list wait where they were left', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/sms/credits' })
  await page.getByRole('button', { name: /^1,000/ }).click()
  await page.getByRole('button', { name: 'Buy for GHS 40.00' }).click()
  await expectVisible(page.getByText('Wallet after: GHS 960.00'))
  await page.getByRole('dialog').getByRole('button', { name: 'Buy' }).click()
  await expectVisible(page.getByText('1,000 credits bought'))
  await expectNoAxeViolations(page)

  await page.goto(`${shop.app.url}/app/sms/contacts`)
  await page.getByLabel('Name of the list').fill('Customers')
  await page.getByRole('button', { name: 'Make list' }).click()
  await page.getByLabel('Numbers, with names if you like').fill('Ama, 0241234567\n12')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Add 1 number' }).click()
  await page.getByRole('link', { name: 'Write to this list' }).click()
  await write(page, 'For later')
  await expectVisible(page.getByText('1 number ready'))
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await expectVisible(page.getByText('You find it under Drafts.'))
  await page.goto(`${shop.app.url}/app/sms`)
  await page.getByRole('link', { name: /For later/ }).click()
  expect(await page.getByLabel('Your text').inputValue()).toBe('For later')
})

test('a viewer sees campaigns and is offered nothing that spends', async () => {
  const page = await shop.openPage({ as: 'viewer', path: '/app/sms' })
  await expectVisible(page.getByLabel('SMS credits'))
  expect(await page.getByRole('link', { name: /New message|Buy credits/ }).count()).toBe(0)
})
