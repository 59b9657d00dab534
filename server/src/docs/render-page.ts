import { type Html, html } from '../platform/html.ts'
import { type Hit, hitsMax } from './search-pages.ts'

export type NavigationEntry = { readonly href: string; readonly title: string; readonly inside?: readonly NavigationEntry[] }

export type NavigationPart = { readonly title: string; readonly entries: readonly NavigationEntry[] }

export type PageParts = {
  readonly href: string
  readonly title: string
  readonly description: string
  readonly content: Html
  /** `guide`: a column of text. `reference`: endpoints with samples beside them. */
  readonly kind: 'guide' | 'reference'
}

export type SiteParts = {
  readonly navigation: readonly NavigationPart[]
  readonly styleHref: string
  readonly isSimulated: boolean
}

function renderEntry(entry: NavigationEntry, here: string): Html {
  const isHere = entry.href === here
  const inside = isHere ? (entry.inside ?? []) : []
  return html`<li><a href="${entry.href}"${isHere ? html` aria-current="page"` : null}>${entry.title}</a>${
    inside.length > 0 && html`<ul>${inside.map((each) => html`<li><a href="${each.href}">${each.title}</a></li>`)}</ul>`
  }</li>`
}

function renderNavigation(site: SiteParts, here: string): Html {
  return html`${renderSearchForm()}${site.navigation.map(
    (part) => html`<h2>${part.title}</h2><ul>${part.entries.map((entry) => renderEntry(entry, here))}</ul>`,
  )}`
}

/** Links to the pages before and after this one, in the order of the navigation. */
function renderNeighbours(site: SiteParts, here: string): Html {
  const all = site.navigation.flatMap((part) => part.entries)
  const index = all.findIndex((entry) => entry.href === here)
  if (index < 0) return html``
  const [before, after] = [all[index - 1], all[index + 1]]
  return html`<nav class="neighbours" aria-label="Previous and next page">${
    before && html`<a rel="prev" href="${before.href}"><small>Before</small>${before.title}</a>`
  }${after && html`<a rel="next" href="${after.href}"><small>Next</small>${after.title}</a>`}</nav>`
}

/** Renders a whole page without a script. The navigation folds away on a phone and stays beside the text on a wide screen. */
export function renderPage(page: PageParts, site: SiteParts): string {
  const navigation = renderNavigation(site, page.href)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Makola API</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${site.styleHref}">
</head>
<body class="${page.kind}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs"><img src="/docs/icon.svg" width="28" height="28" alt=""><span>Makola <b>API</b></span></a>
${site.isSimulated ? html`<span class="mode" title="Suppliers are simulated on this installation; no real money moves.">play money</span>` : null}
<a class="raw" href="/status">status</a>
<a class="raw" href="/openapi.json">openapi.json</a>
</header>
<details class="menu"><summary>${page.title}</summary><nav aria-label="Pages">${navigation}</nav></details>
<div class="frame">
<nav class="side" aria-label="Pages">${navigation}</nav>
<main id="content" tabindex="-1">
${page.content}
${renderNeighbours(site, page.href)}
</main>
</div>
</body>
</html>
`.html
}

/** Renders the search form. The server answers it, so that it works without a script. */
export function renderSearchForm(query = '', label = 'Documentation'): Html {
  return html`<form class="search" role="search" aria-label="${label}" action="/docs/search"><input type="search" name="q" value="${query}" maxlength="100" placeholder="Search" aria-label="Search the documentation" required><button>Search</button></form>`
}

/** Renders the results of a search, with the text around the words. */
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
