import { type Html, html } from '../platform/html.ts'
import { type Hit, hitsMax } from './search-pages.ts'

/** The search form. The server answers it, so that it works without a script. */
export function renderSearchForm(query = '', label = 'Documentation'): Html {
  return html`<form class="search" role="search" aria-label="${label}" action="/docs/search"><input type="search" name="q" value="${query}" maxlength="100" placeholder="Search" aria-label="Search the documentation" required><button>Search</button></form>`
}

/** The results of a search, with the text around the words. */
export function renderHits(query: string, hits: readonly Hit[]): Html {
  if (query.trim() === '') return html`<h1>Search</h1>\n${renderSearchForm('', 'This page')}`
  const number = hits.length === 0 ? 'No' : hits.length === hitsMax ? `The best ${hitsMax}` : hits.length
  const count = hits.length === 1 ? 'One section' : `${number} sections`
  return html`<h1>Search</h1>
${renderSearchForm(query, 'This page')}
<p role="status">${count} for <b>${query}</b>.</p>
<ol class="hits">${hits.map(
    ({ href, title, page, before, match, after }) =>
      html`<li><a href="${href}">${title}</a> <small>${page === title ? '' : page}</small><p>${before}<mark>${match}</mark>${after}</p></li>\n`,
  )}</ol>`
}
