import { readFile } from 'node:fs/promises'
import { type MadeFile, makeFile } from '../platform/answer-file.ts'
import { type Html, html } from '../platform/html.ts'
import { apiPrefix } from '../platform/http/document/describe-api.ts'
import type { Endpoints } from '../platform/http/document/record-endpoints.ts'
import type { Refusals } from '../platform/http/refusals.ts'
import { guideInserts } from './guide-inserts.ts'
import { makeBruno, makeCollection } from './make-collections.ts'
import { type OpenApiDocument, type OperationGroup, readOperations } from './openapi.ts'
import { type Guide, readGuides, readPrograms } from './read-guides.ts'
import { renderMarkdown } from './render-markdown.ts'
import { renderOperation } from './render-operation.ts'
import { type NavigationPart, type PageParts, renderHits, renderPage, renderSearchForm, type SiteParts } from './render-page.ts'
import { createSearch } from './search-pages.ts'
import { writeLlms } from './write-llms.ts'

/** A client for programs, packed as its language installs it. */
type PackedClient = { readonly name: string; readonly body: Buffer }

/**
 * Reads the clients that `server/bin/pack-clients.ts` wrote. Without a build there are none, and the pages name files that do
 * not exist.
 */
export async function readClients(): Promise<readonly PackedClient[]> {
  const text = await readFile(new URL('../../dist/clients.json', import.meta.url), 'utf8').catch(() => '{"files":[]}')
  const { files } = JSON.parse(text) as { readonly files: readonly { readonly name: string; readonly base64: string }[] }
  return files.map(({ name, base64 }) => ({ name, body: Buffer.from(base64, 'base64') }))
}

export type SiteFile = MadeFile & {
  /** The file's address changes with its content, so browsers may keep it for ever. */
  readonly isImmutable: boolean
}

export type SiteSource = {
  readonly document: OpenApiDocument
  /** Without a slash at the end. */
  readonly publicUrl: string
  readonly isSimulated: boolean
  readonly refusals: readonly Refusals[]
  readonly endpoints: Endpoints
}

export type Site = {
  readonly files: ReadonlyMap<string, SiteFile>
  readonly search: (query: string) => SiteFile
  readonly notFound: SiteFile
}

const siteFile = (contentType: string, content: string | Buffer, isImmutable = false): SiteFile => ({
  ...makeFile(contentType, content),
  isImmutable,
})

/** Archives are compressed already, so they are sent as they are. */
const clientFile = ({ name, body }: PackedClient): SiteFile =>
  name.endsWith('.php')
    ? siteFile('text/plain; charset=utf-8', body)
    : { ...siteFile(name.endsWith('.tgz') ? 'application/gzip' : 'application/zip', body), isMadeOnce: false }

const guideHref = (guides: readonly Guide[], guide: Guide) => (guide === guides[0] ? '/docs' : `/docs/${guide.slug}`)

function navigationOf(guides: readonly Guide[], groups: readonly OperationGroup[]): NavigationPart[] {
  return [
    { title: 'Guide', entries: guides.map((guide) => ({ href: guideHref(guides, guide), title: guide.title })) },
    {
      title: 'Endpoints',
      entries: groups.map(({ tag, slug, operations }) => ({
        href: `/docs/reference/${slug}`,
        title: tag,
        inside: operations.map(({ id, summary }) => ({ href: `/docs/reference/${slug}#${id}`, title: summary })),
      })),
    },
  ]
}

function referencePage({ tag, slug, operations }: OperationGroup, apiUrl: string): PageParts {
  return {
    href: `/docs/reference/${slug}`,
    title: tag,
    description: operations.map(({ summary }) => summary).join('. '),
    kind: 'reference',
    content: html`<h1>${tag}</h1>
<p class="base">All paths are below <code>${apiUrl}</code>.</p>
${operations.map((operation) => renderOperation(operation, apiUrl))}`,
  }
}

/** A page that is not in the navigation: "not found", and the results of a search. */
function pageBeside(href: string, title: string, content: Html): PageParts {
  return { href, title, description: '', kind: 'guide', content }
}

const nothingHere = html`<h1>There is nothing here</h1>
<p>This address leads nowhere. It may have been written wrongly, or what was here has moved.</p>
${renderSearchForm('', 'This page')}
<p><a href="/docs">Go to the documentation</a></p>`

/** Builds every file of the documentation: guides of `docs/api`, endpoints of the OpenAPI document, changelog, clients. */
export async function buildSite({ document, publicUrl, isSimulated, refusals, endpoints }: SiteSource): Promise<Site> {
  const clients = await readClients()
  const [guides, programs, style, icon] = await Promise.all([
    readGuides({ publicUrl, isSimulated, clients }),
    readPrograms(publicUrl),
    readFile(new URL('style.css', import.meta.url), 'utf8'),
    readFile(new URL('icon.svg', import.meta.url), 'utf8'),
  ])
  const apiUrl = `${publicUrl}${apiPrefix}`
  const groups = readOperations(document, endpoints.refusals)
  const inserts = guideInserts({ groups, apiUrl, programs, refusals, limits: endpoints.limits })
  const styleFile = siteFile('text/css; charset=utf-8', style, true)
  const styleHref = `/docs/style-${styleFile.etag}.css`
  const site: SiteParts = { navigation: navigationOf(guides, groups), styleHref, isSimulated }
  const pages: PageParts[] = [
    ...guides.map((guide) => ({
      href: guideHref(guides, guide),
      title: guide.title,
      description: guide.description,
      kind: 'guide' as const,
      content: renderMarkdown(guide.text, inserts),
    })),
    ...groups.map((group) => referencePage(group, apiUrl)),
  ]
  const htmlFile = (page: PageParts) => siteFile('text/html; charset=utf-8', renderPage(page, site))
  const jsonFile = (value: unknown) => siteFile('application/json; charset=utf-8', `${JSON.stringify(value, null, 1)}\n`)
  const collection = makeCollection(groups, apiUrl)
  const find = createSearch(pages)
  const iconFile = siteFile('image/svg+xml', icon)
  const llms = { publicUrl, apiUrl, groups, guides: pages.filter(({ kind }) => kind === 'guide') }
  return {
    files: new Map([
      ...pages.map((page): [string, SiteFile] => [page.href, htmlFile(page)]),
      [styleHref, styleFile],
      ...['/docs/icon.svg', '/favicon.svg', '/favicon.ico'].map((href): [string, SiteFile] => [href, iconFile]),
      ['/docs/postman.json', jsonFile(collection)],
      ['/docs/bruno.json', jsonFile(makeBruno(collection))],
      ...clients.map((client): [string, SiteFile] => [`/docs/clients/${client.name}`, clientFile(client)]),
      ['/llms.txt', siteFile('text/plain; charset=utf-8', writeLlms(llms))],
    ]),
    search: (query) => ({
      ...htmlFile(pageBeside('/docs/search', 'Search', renderHits(query, find(query)))),
      isMadeOnce: false,
    }),
    notFound: htmlFile(pageBeside('', 'Not found', nothingHere)),
  }
}
