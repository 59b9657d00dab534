import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openFileAnswers } from '../platform/answer-file.ts'
import { answerError, answerRefusal } from '../platform/http/answer-error.ts'
import { refusals } from '../platform/http/refusals.ts'
import { buildSite, type Site, type SiteFile, type SiteSource } from './build-site.ts'

/** Browsers may load only our style sheet and icon, run no script, and send forms only to us. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

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
  const answerFile = openFileAnswers()

  async function readSite(): Promise<Site> {
    site ??= buildSite({ ...source, document: app.swagger() as SiteSource['document'] })
    // After a failed build, the next reader tries it again.
    return site.catch((error: unknown) => {
      site = undefined
      throw error
    })
  }

  function send(file: SiteFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cacheControl = file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache'
    reply.headers({ 'cache-control': cacheControl, 'content-security-policy': contentSecurityPolicy })
    return answerFile(file, request, reply)
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
