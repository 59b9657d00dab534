import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The folder into which `npm ci` builds the dashboard. */
const builtFolder = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url))

/**
 * Scripts and requests come from this server alone, and pictures from it or the page's own memory. A page may hold styles,
 * because Mantine writes its colours into a style element, but no script.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const notBuilt =
  'The pages of the dashboard are not built. Run `npm run build` in the folder of the platform, then start it again.\n'

const faces = ['app', 'desk'] as const

/** The files by which browsers install the app on a home screen. Their names never change. */
const installFiles = ['/app/manifest.webmanifest', '/app/service-worker.js'] as const

type PageDeps = {
  readonly answerUnknown: (request: FastifyRequest, reply: FastifyReply) => void
  /** Whether a request's cookies may open a session. */
  readonly mayBeSignedIn: (cookies: string | undefined) => boolean
  /** The folder of the built pages, by default that of `npm ci`. */
  readonly folder?: string
}

/** The bundler's list of the files that it wrote, each with those that it loads at once. */
type Written = Readonly<Record<string, { readonly file: string; readonly name: string; readonly imports?: readonly string[] }>>

/**
 * The header `Link` of Home for somebody who is signed in: the browser asks for its scripts and for its answer together with the
 * page's own files. Without it, it would ask for them one after the other behind those, and wait for each.
 */
function linkOfHome(folder: string): string {
  const written = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Written
  const filesOf = (key: string, found = new Set<string>()): Set<string> => {
    const { file = '', imports = [] } = written[key] ?? {}
    if (!found.has(file)) for (const other of imports) filesOf(other, found.add(file))
    return found.add(file)
  }
  const ofPage = filesOf('app/index.html')
  const home = Object.keys(written).find((key) => written[key]?.name === 'home') ?? ''
  const scripts = [...filesOf(home)].filter((file) => !ofPage.has(file))
  return [
    ...scripts.map((file) => `</${file}>; rel=modulepreload`),
    '</app/api/home>; rel=preload; as=fetch; crossorigin=anonymous',
  ].join(', ')
}

/** True for the plugin's error about an address that cannot name a file: it leads out of the folder, or holds a NUL. */
function namesNoFile(error: unknown): boolean {
  const { statusCode = 500 } = error as { readonly statusCode?: number }
  return statusCode >= 400 && statusCode < 500
}

/**
 * Serves the dashboard's built files. Under `/app` and `/desk`, except below their `/api`, every address gets the page of that
 * face, whose script reads the address. Under `/assets` are the files that the pages load, with names that change with their
 * content. It also serves the files by which browsers install the app.
 */
export function servePages(app: FastifyInstance, deps: PageDeps): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      if (!namesNoFile(error)) throw error
      deps.answerUnknown(request, reply)
    })
    registerPages(scope, deps)
  })
}

function registerPages(app: FastifyInstance, { answerUnknown, mayBeSignedIn, folder = builtFolder }: PageDeps): void {
  const isBuilt = existsSync(join(folder, 'app/index.html'))
  const homeLink = isBuilt ? linkOfHome(folder) : ''
  app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    // Without the built files there is nothing to serve, and the plugin would complain.
    serve: isBuilt,
  })
  for (const face of faces) {
    const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
      if (request.url.startsWith(`/${face}/api`)) {
        answerUnknown(request, reply)
        return undefined
      }
      reply.header('content-security-policy', contentSecurityPolicy).header('cache-control', 'no-cache')
      if (!isBuilt) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
      if (request.url === '/app' && mayBeSignedIn(request.headers.cookie)) reply.header('link', homeLink)
      // Browsers ask for the page each time, so that a new version is seen at once; compressed, it is about 1 KB.
      return reply.sendFile(`${face}/index.html`, folder, { cacheControl: false })
    }
    for (const url of [`/${face}`, `/${face}/*`]) app.get(url, { schema: { hide: true } }, answer)
  }
  for (const url of installFiles) {
    app.get(url, { schema: { hide: true } }, (request, reply) => {
      if (!existsSync(join(folder, url))) {
        answerUnknown(request, reply)
        return undefined
      }
      // The service worker lies below `/app/` and also serves `/app`. Browsers ask for it each time, as for the page.
      reply.headers({
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'no-cache',
        'service-worker-allowed': '/app',
      })
      return reply.sendFile(url, folder, { cacheControl: false })
    })
  }
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/app', 302))
}
