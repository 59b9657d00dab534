import { createECDH, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser()

const devices = () => shop.db.selectFrom('push_devices').select(['endpoint', 'kinds']).execute()

test.each([360, 1280])(
  'somebody switches push notices on for this device, chooses what, and switches them off, %i pixels wide',
  async (width) => {
    const page = await shop.openPage({ as: 'buyer', path: '/app/notices', width, isKept: true })
    await page.context().grantPermissions(['notifications'])
    // The browser of the tests has no push service, so the test gives that service's answer.
    const keys = createECDH('prime256v1')
    const given = {
      endpoint: `https://push.example.test/${width}`,
      keys: { p256dh: keys.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
    }
    await page.addInitScript(`PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(given)}) })`)
    await page.reload()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await expectVisible(page.getByText('It shows no amounts, no names and no whole numbers.'))
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Tell me on this device' }).click()
    await expectVisible(page.getByText('This device tells you'))
    expect(await devices()).toEqual([{ endpoint: given.endpoint, kinds: ['delivered', 'failed', 'credited'] }])
    await page.getByLabel('An order that was bought in the app is delivered').uncheck()
    await page.getByRole('form', { name: 'On this device' }).getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await devices())[0]?.kinds).toEqual(['failed', 'credited'])
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Stop telling me here' }).click()
    await expectVisible(page.getByRole('button', { name: 'Tell me on this device' }))
    expect(await devices()).toEqual([])
  },
)

test('a push notice is shown in the words of the server', async () => {
  const page = await shop.openPage({ as: 'buyer', isKept: true })
  await page.context().grantPermissions(['notifications'])
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  // A browser without a screen shows no notices, so what it was asked to show is noted.
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(`
    self.shown = []
    self.registration.showNotification = async (title, options) => { self.shown.push({ title, ...options }) }`)
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const push = { title: 'Delivered', body: 'Your order to …567 was delivered.', path: '/app/orders' }
  const origin = shop.app.url
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data: JSON.stringify(push) })
  await expect
    .poll(() => worker?.evaluate('self.shown'))
    .toMatchObject([{ title: push.title, body: push.body, data: { path: push.path } }])
})

test('without a connection Buy waits, says that nothing is sent by itself, and sends nothing by itself', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy' })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /purchase|bulk/.test(request.url())) sent.push(request.url())
  })
  await page.getByRole('radio', { name: '1 GB' }).check()
  await page.getByLabel('Numbers, one or many').fill('0244000777')
  const buy = page.getByRole('button', { name: 'Buy for GHS 5.20' })
  await expectVisible(buy)
  await page.context().setOffline(true)
  const waiting = page.getByRole('button', { name: 'Waits for a connection' })
  await expectVisible(waiting)
  expect(await waiting.isDisabled()).toBe(true)
  await expectVisible(page.getByText('Nothing is sent by itself: buy when you are back.'))
  await page.context().setOffline(false)
  await expectVisible(buy)
  // A purchase cannot be confirmed either when the connection is lost while its dialog is open.
  await buy.click()
  const pay = page.getByRole('dialog').getByRole('button', { name: /^Pay GHS/ })
  await expectVisible(pay)
  await page.context().setOffline(true)
  await expect.poll(() => pay.isDisabled()).toBe(true)
  await page.context().setOffline(false)
  await expect.poll(() => pay.isEnabled()).toBe(true)
  expect(sent).toEqual([])
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
})
