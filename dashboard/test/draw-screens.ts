import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { untilShown } from './look-at-screen.ts'
import { openChromium } from './open-chromium.ts'
import { demoUrl, openDemoPage } from './open-demo-page.ts'

const folder = fileURLToPath(new URL('../../docs/screens/', import.meta.url))

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 800 }

/** Ten pictures of the demo's app: on a phone, and in a wide window (`desk-…`). */
const pictures = [
  { name: 'phone-sign-in', path: '', viewport: phone, colorScheme: 'light', isSignedIn: false },
  { name: 'phone-home', path: '', viewport: phone, colorScheme: 'light' },
  { name: 'phone-home-dark', path: '', viewport: phone, colorScheme: 'dark' },
  { name: 'phone-buy', path: '/buy', viewport: phone, colorScheme: 'light' },
  { name: 'phone-orders', path: '/orders', viewport: phone, colorScheme: 'light' },
  { name: 'phone-wallet', path: '/wallet', viewport: phone, colorScheme: 'dark' },
  { name: 'desk-home', path: '', viewport: desk, colorScheme: 'light' },
  { name: 'desk-orders', path: '/orders', viewport: desk, colorScheme: 'light' },
  { name: 'desk-orders-dark', path: '/orders', viewport: desk, colorScheme: 'dark' },
  { name: 'desk-team', path: '/team', viewport: desk, colorScheme: 'light' },
] as const

await mkdir(folder, { recursive: true })
const browser = await openChromium()
for (const picture of pictures) {
  const { name, path, viewport, colorScheme } = picture
  const page = await openDemoPage(browser, { viewport, colorScheme }, !('isSignedIn' in picture))
  await page.goto(`${demoUrl}/app${path}`)
  await untilShown(page)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.context().close()
  console.log(name)
}
await browser.close()
