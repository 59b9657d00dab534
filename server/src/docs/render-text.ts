import { type Html, html, trusted } from '../platform/html.ts'

/** Renders a sentence of a schema, with code between backticks. */
export function renderText(text: string): Html {
  return trusted(
    text
      .split('`')
      .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).html)
      .join(''),
  )
}
