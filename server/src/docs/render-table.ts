import { type Html, html } from '../platform/html.ts'

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
