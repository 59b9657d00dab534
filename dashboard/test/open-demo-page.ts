import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const { DATA_DIR: dataDir = 'data', PORT: port = '8443' } = process.env

/** Where the running demo listens: at the port that it was started with as `PORT`, 8443 if left out. */
export const demoUrl = `https://localhost:${port}`

/** Opens a page on the running demo, signed in as its reseller unless said otherwise. */
export async function openDemoPage(browser: Browser, options: BrowserContextOptions, isSignedIn = true): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', ...options })
  if (isSignedIn) {
    const signIns = JSON.parse(await readFile(join(dataDir, 'demo-sign-ins.json'), 'utf8')) as { reseller: object }
    const headers = { origin: demoUrl }
    const answer = await context.request.post(`${demoUrl}/app/api/sign-in`, { data: signIns.reseller, headers })
    if (!answer.ok()) throw new Error(`the demo at ${demoUrl} refused its own sign-in: ${await answer.text()}`)
  }
  return context.newPage()
}
