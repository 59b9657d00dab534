import type { Html } from '../platform/html.ts'

type Page = { readonly href: string; readonly title: string; readonly content: Html }

/** The part of a page below one heading. */
type Section = Pick<Page, 'href' | 'title'> & { readonly page: string; readonly text: string; readonly found: string }

/** A section with the searched words, and the text around the first of them. */
export type Hit = Pick<Section, 'href' | 'title' | 'page'> & {
  readonly before: string
  readonly match: string
  readonly after: string
}

/** The most sections that a search shows, the best ones. */
export const hitsMax = 20
const queryLengthMax = 100
const charactersBefore = 60
const charactersAfter = 120

const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }

/** The text of a page without its HTML. Code samples are left out, because they repeat the fields, in four languages. */
function visibleText(html: string): string {
  return html
    .replaceAll(/<(fieldset|pre|nav)[ >][\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<\/?(?:code|b|i|em|strong|a)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function sectionsOf({ href, title, content }: Page): Section[] {
  return content.html
    .split(/(?=<h2[ >]|<section )/)
    .map((part) => {
      const [heading = '', anchor] = /<h2[^>]*><a href="(#[^"]+)">[\s\S]*?<\/h2>/.exec(part) ?? []
      const text = visibleText(part.replace(heading, ''))
      const own = heading === '' ? title : visibleText(heading)
      return { href: `${href}${anchor ?? ''}`, title: own, page: title, text, found: `${own}\n${text}`.toLowerCase() }
    })
    .filter(({ text }) => text !== '')
}

/** A whole word counts more than a part of one: a search for `bill` prefers `Pay a bill` to `billers`. */
function wordPoints(heading: string, word: string): number {
  if (heading.split(/[^\p{L}\p{N}_-]+/u).includes(word)) return 3
  return heading.includes(word) ? 1 : 0
}

/** How well a section fits: words in its heading count most; undefined when a word is missing. */
function fitness(section: Section, words: readonly string[]): number | undefined {
  if (words.some((word) => !section.found.includes(word))) return undefined
  const [title, page] = [section.title.toLowerCase(), section.page.toLowerCase()]
  const points = words.map(
    (word) => 6 * wordPoints(title, word) + wordPoints(page, word) + Math.min(5, section.found.split(word).length),
  )
  return points.reduce((sum, each) => sum + each, 0)
}

function hitOf({ href, title, page, text }: Section, words: readonly string[]): Hit {
  const lower = text.toLowerCase()
  const [first] = words.flatMap((word) => (lower.includes(word) ? [{ word, at: lower.indexOf(word) }] : []))
  const { word = '', at = 0 } = first ?? {}
  const from = Math.max(0, at - charactersBefore)
  const end = at + word.length
  const rest = text.slice(end)
  return {
    href,
    title,
    page,
    // The text is cut between words.
    before: from === 0 ? text.slice(0, at) : `… ${text.slice(from, at).replace(/^\S*\s/, '')}`,
    match: text.slice(at, end),
    after: rest.length <= charactersAfter ? rest : `${rest.slice(0, charactersAfter).replace(/\s\S*$/, '')} …`,
  }
}

/** The words in the first `queryLengthMax` characters of a search. */
export function searchWords(query: string): string[] {
  return query.slice(0, queryLengthMax).toLowerCase().split(/\s+/).filter(Boolean)
}

/** Makes the index of all pages once. @returns the search over it: the sections that hold every word, best first */
export function createSearch(pages: readonly Page[]): (query: string) => Hit[] {
  const sections = pages.flatMap(sectionsOf)
  return (query) => {
    const words = searchWords(query)
    if (words.length === 0) return []
    return sections
      .map((section) => ({ section, points: fitness(section, words) }))
      .filter(({ points }) => points !== undefined)
      .toSorted((a, b) => (b.points ?? 0) - (a.points ?? 0))
      .slice(0, hitsMax)
      .map(({ section }) => hitOf(section, words))
  }
}
