import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerRefusal } from '../platform/http/answer-error.ts'
import { refusals } from '../platform/http/refusals.ts'
import { buildSite, type SiteFile, type SiteSource } from './build-site.ts'

/** Nothing but our own style sheet and icon is loaded, and nothing runs. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

type Coding = keyof typeof compressions

/** The best coding that the client takes. A coding that it refuses (`;q=0`) is not used. */
function chooseCoding(header: string | undefined): Coding | undefined {
  const accepted = new Set(
    (header ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]),
  )
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : undefined
}

/** Each file is compressed once, when it is first asked for that way. */
function openCompressed(): (file: SiteFile, coding: Coding) => Promise<Buffer> {
  const known = new WeakMap<SiteFile, Map<Coding, Promise<Buffer>>>()
  return (file, coding) => {
    const ofFile = known.get(file) ?? new Map<Coding, Promise<Buffer>>()
    known.set(file, ofFile)
    const compressed = ofFile.get(coding) ?? compressions[coding](file.body)
    ofFile.set(coding, compressed)
    return compressed
  }
}

/** Whether the client's copy is this one (RFC 9110, section 13.1.2: compared weakly). */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

/**
 * Serves the documentation under `/docs`, made from the OpenAPI document of this very server. It is built when somebody
 * first asks for it, so that a process which nobody reads starts as fast and stays as small as without it.
 */
export function registerDocsRoutes(app: FastifyInstance, source: Omit<SiteSource, 'document'>): void {
  let site: Promise<Map<string, SiteFile>> | undefined
  const compress = openCompressed()

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    site ??= buildSite({ ...source, document: app.swagger() as SiteSource['document'] })
    // A failed build is tried again by the next reader.
    const files = await site.catch((error: unknown) => {
      site = undefined
      throw error
    })
    const [path = ''] = request.url.split('?')
    const file = files.get(path.replace(/\/+$/, ''))
    if (!file) return answerRefusal(reply, refusals.routeNotFound)
    const coding = chooseCoding(request.headers['accept-encoding'])
    const etag = `"${file.etag}${coding === undefined ? '' : `-${coding}`}"`
    reply
      .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('content-security-policy', contentSecurityPolicy)
      .header('vary', 'accept-encoding')
      .header('etag', etag)
      .type(file.contentType)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (coding === undefined) return reply.send(file.body)
    return reply.header('content-encoding', coding).send(await compress(file, coding))
  }

  const options = { schema: { hide: true } }
  for (const url of ['/docs', '/docs/*']) app.get(url, options, answer)
}
