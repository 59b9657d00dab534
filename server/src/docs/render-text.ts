import { type Html, html, trusted } from './html.ts'

/** A sentence from a schema: `code` between backticks, everything else as it is. */
export function renderText(text: string): Html {
  return trusted(
    text
      .split('`')
      .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).html)
      .join(''),
  )
}
