import type { Page } from 'playwright-core'

/** The browser's own words for an answer of 400 and more and for a lost connection, which tests bring about on purpose. */
const isAnswer = (text: string): boolean => text.startsWith('Failed to load resource')

/**
 * Collects what a page must not do: write errors into the console (as a breach of the content security policy does),
 * throw what nobody catches, ask another server, or get an answer that is a fault of ours.
 *
 * @param origin the server of the pages
 */
export function watchPage(page: Page, origin: string, faults: string[]): void {
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
