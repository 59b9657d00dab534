import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerError, answerRefusal } from '../platform/http/answer-error.ts'
import { refusals } from '../platform/http/refusals.ts'
import { buildSite, type Site, type SiteFile, type SiteSource } from './build-site.ts'

/** Browsers may load only our style sheet and icon, run no script, and send forms only to us. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

type Coding = keyof typeof compressions

/** The best coding that the client accepts. `;q=0` refuses a coding; `*` means all codings that the header does not name. */
function chooseCoding(header: string | undefined): Coding | undefined {
  const codings = (header ?? '').split(',').map((part) => part.trim().toLowerCase())
  const accepted = new Map(codings.map((coding) => [coding.split(';')[0]?.trim(), !/;\s*q=0(\.0*)?$/.test(coding)]))
  const isAccepted = (coding: Coding) => accepted.get(coding) ?? accepted.get('*') ?? false
  return (['br', 'gzip'] as const).find(isAccepted)
}

/** Compresses a file at its first request in a coding, and keeps the result. */
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

/** True when the client already has this copy (RFC 9110, section 13.1.2: weak comparison). */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

/**
 * True when a browser asks for a page. Requests below `/api` and `/callbacks` come from programs, and get the error
 * envelope.
 */
function isForBrowser(request: FastifyRequest): boolean {
  const isProgramsPath = /^\/(api|callbacks)([/?]|$)/.test(request.url)
  return request.method === 'GET' && !isProgramsPath && /\btext\/html\b/.test(request.headers.accept ?? '')
}

export type OpenSite = {
  /** Answers with a file of the site. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Answers an unknown address: a browser gets a page with links, everything else the error envelope. */
  readonly answerUnknown: (request: FastifyRequest, reply: FastifyReply) => void
}

/**
 * Makes the documentation from this server's OpenAPI document. Builds it at the first request, so that a process without readers
 * starts faster and needs less memory.
 */
export function openSite(app: FastifyInstance, source: Omit<SiteSource, 'document'>): OpenSite {
  let site: Promise<Site> | undefined
  const compress = openCompressed()

  async function readSite(): Promise<Site> {
    site ??= buildSite({ ...source, document: app.swagger() as SiteSource['document'] })
    // After a failed build, the next reader tries it again.
    return site.catch((error: unknown) => {
      site = undefined
      throw error
    })
  }

  async function send(file: SiteFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const coding = file.isMadeOnce ? chooseCoding(request.headers['accept-encoding']) : undefined
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

  async function sendUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!isForBrowser(request)) return answerRefusal(reply, refusals.routeNotFound)
    const { notFound } = await readSite()
    reply.code(404).header('content-security-policy', contentSecurityPolicy).header('vary', 'accept')
    return reply.header('x-error-reason', refusals.routeNotFound.reason).type(notFound.contentType).send(notFound.body)
  }

  return {
    async answer(request, reply) {
      const { files, search } = await readSite()
      const { pathname, searchParams } = new URL(request.url, 'https://localhost')
      const file = pathname === '/docs/search' ? search(searchParams.get('q') ?? '') : files.get(pathname.replace(/\/+$/, ''))
      return file ? send(file, request, reply) : sendUnknown(request, reply)
    },
    answerUnknown(request, reply) {
      sendUnknown(request, reply).catch((error: unknown) => answerError(error, request, reply))
    },
  }
}

/** Serves the documentation under `/docs`, and its files with well-known addresses, such as `/llms.txt`. */
export function registerDocsRoutes(app: FastifyInstance, site: OpenSite): void {
  const options = { schema: { hide: true } }
  for (const url of ['/docs', '/docs/*', '/llms.txt', '/favicon.svg', '/favicon.ico']) app.get(url, options, site.answer)
}
