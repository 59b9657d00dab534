import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { patienceSeconds } from '../../server/test/patience.ts'
import { keptFolder } from '../../server/test/running/test-folders.ts'
import { passwordOfAll } from './make-team.ts'
import { openChromium } from './open-chromium.ts'
import { watchPage } from './watch-page.ts'

export type PageOptions = {
  /** In pixels. Left out: 360, a phone. 1280 is the screen of a computer. */
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** The first address; `/app` if left out. Null: the page stays empty. */
  readonly path?: string | null
  /** True: the browser may store the app, so that it opens without a connection. It costs time, so it is off if left out. */
  readonly isKept?: boolean
}

/** The pages of a test, and what went wrong in them. */
export type TestPages = {
  /** Opens a page in a browser of its own: own cookies, storage and session. */
  open(email: string | undefined, options: PageOptions): Promise<Page>
  /** Faults with these words do not fail the test. */
  expectFaults(words: RegExp): void
  /** Takes pictures of what a failed test left open, and says where they are. */
  photograph(test: string): Promise<void>
  /** Closes them all and gives back the faults that nobody expected. */
  close(): Promise<string[]>
}

const picturesFolder = join(keptFolder, 'makola-failed-tests')
const heightOf = (width: number): number => (width < 600 ? 740 : 800)

/** Signs in, a second time after a 503: the first sign-in of a process loads much code, which is too slow on a slow machine. */
async function signIn({ request }: BrowserContext, url: string, email: string): Promise<void> {
  const data = { email, password: passwordOfAll }
  const ask = () => request.post(`${url}/app/api/sign-in`, { data, headers: { origin: url } })
  const answer = await ask()
  const signedIn = answer.status() === 503 ? await ask() : answer
  expect(await signedIn.json()).toMatchObject({ data: { status: 'signed_in' } })
}

async function photographPage(page: Page, path: string): Promise<void> {
  try {
    await page.screenshot({ path })
    process.stderr.write(`What the failed test saw last: ${path}\n`)
  } catch {
    // The page is closed or its browser is gone. The failure of the test is reported in any case.
  }
}

/** @param url where the pages are served */
export function openTestPages(url: () => string): TestPages {
  const contexts: BrowserContext[] = []
  const faults: string[] = []
  const expected: RegExp[] = []
  return {
    async open(email, { width = 360, colorScheme = 'light', path = '/app', isKept = false }) {
      const browser = await openChromium()
      const context = await browser.newContext({
        viewport: { width, height: heightOf(width) },
        colorScheme,
        // Without a language, this browser names one of the system that no real browser has.
        locale: 'en-GB',
        reducedMotion: 'reduce',
        serviceWorkers: isKept ? 'allow' : 'block',
        ignoreHTTPSErrors: true,
        baseURL: url(),
      })
      contexts.push(context)
      context.setDefaultTimeout(patienceSeconds * 1_000)
      context.on('page', (page) => watchPage(page, url(), faults))
      if (email !== undefined) await signIn(context, url(), email)
      const page = await context.newPage()
      if (path !== null) await page.goto(path)
      return page
    },
    expectFaults(words) {
      expected.push(words)
    },
    async photograph(test) {
      await mkdir(picturesFolder, { recursive: true })
      const name = test.replaceAll(/\W+/g, '-').slice(0, 80)
      const pages = contexts.flatMap((context) => context.pages())
      for (const [index, page] of pages.entries()) await photographPage(page, join(picturesFolder, `${name}-${index + 1}.png`))
    },
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      const words = expected.splice(0)
      return faults.splice(0).filter((fault) => !words.some((each) => each.test(fault)))
    },
  }
}
