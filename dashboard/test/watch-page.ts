import type { Page, Request } from 'playwright-core'
import { untilTrue } from '../../server/test/patience.ts'

/** The browser's own words for an answer of 400 and more and for a lost connection, which tests bring about on purpose. */
const isAnswer = (text: string): boolean => text.startsWith('Failed to load resource')

/** The requests of each page that have no answer yet. Streams of events are left out, because they never end. */
const asked = new WeakMap<Page, Set<Request>>()

function watchRequests(page: Page): void {
  const waiting = new Set<Request>()
  asked.set(page, waiting)
  page.on('request', (request) => void (request.resourceType() === 'fetch' && waiting.add(request)))
  page.on('requestfinished', (request) => void waiting.delete(request))
  page.on('requestfailed', (request) => void waiting.delete(request))
}

/** Waits until a page has got all that it asked for, and asks for nothing more when that is drawn. */
export function untilQuiet(page: Page): Promise<void> {
  const waiting = (): readonly Request[] => [...(asked.get(page) ?? [])]
  const isQuiet = async () => {
    if (waiting().length > 0) return false
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    return waiting().length === 0
  }
  const urls = () => waiting().map((request) => request.url())
  return untilTrue(isQuiet, () => `${page.url()} still waits for ${urls().join(', ')}`)
}

/**
 * Collects what a page must not do: write errors into the console (as a breach of the content security policy does),
 * throw what nobody catches, ask another server, or get an answer that is a fault of ours.
 *
 * @param origin the server of the pages
 */
export function watchPage(page: Page, origin: string, faults: string[]): void {
  watchRequests(page)
  const note = (fault: string) => faults.push(`${new URL(page.url(), origin).pathname}: ${fault}`)
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAnswer(message.text())) note(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => note(`thrown: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) note(`asked ${url.origin}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isMissingFile = response.status() >= 400 && !pathname.startsWith('/app/') && !pathname.startsWith('/desk/')
    if (response.status() >= 500 || isMissingFile) note(`${response.status()} from ${pathname}`)
  })
}
