import { type Html, html, trusted } from '../platform/html.ts'
import { highlightCode } from './highlight-code.ts'
import type { Sample } from './write-samples.ts'

/** Renders a sentence of a schema, with code between backticks. */
export function renderText(text: string): Html {
  return trusted(
    text
      .split('`')
      .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).html)
      .join(''),
  )
}

/**
 * Renders a table that becomes a list of cards on a phone. The ARIA roles are written out, because browsers drop them when a
 * style sheet changes the layout of a table.
 */
export function renderTable(heads: readonly Html[], rows: readonly (readonly Html[])[], label: string): Html {
  // Tags are removed, because an attribute cannot hold them.
  const labels = heads.map((head) => head.html.replaceAll(/<[^>]*>/g, ''))
  return html`<div class="table" tabindex="0" role="group" aria-label="${label}"><table role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (cells) =>
      html`<tr role="row">${cells.map((cell, index) => html`<td role="cell" data-label="${labels[index]}"><div>${cell}</div></td>`)}</tr>\n`,
  )}</tbody></table></div>
`
}

/** Renders one block of code that scrolls by itself, also from the keyboard. */
export function renderCode(code: string, label: string, language: string | undefined): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${highlightCode(code, language)}</code></pre>`
}

/**
 * Renders the same program in several languages, one shown at a time. The choice is a group of radio buttons that the style sheet
 * follows, so that it works without a script and from the keyboard.
 *
 * @param name unique on its page
 */
export function renderSamples(samples: readonly Sample[], name: string, label: string): Html {
  return html`<fieldset class="samples"><legend>${label}</legend>
${samples.map(
  ({ language, name: title }, index) =>
    html`<input type="radio" name="${name}" id="${name}-${language}" class="pick-${language}"${index === 0 ? html` checked` : null}><label for="${name}-${language}">${title}</label>`,
)}
${samples.map(({ language, name: title, code }) => html`<div class="sample in-${language}">${renderCode(code, `${label} in ${title}`, language)}</div>\n`)}</fieldset>`
}
