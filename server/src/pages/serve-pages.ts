import { existsSync } from 'node:fs'
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
  /** Tells from the `Cookie` header whether somebody has signed in. The session may have ended since. */
  readonly hasSession: (cookie: string | undefined) => boolean
  /** The folder of the built pages, by default that of `npm ci`. */
  readonly folder?: string
}

/**
 * Chooses the page of the app. `home` and `sign-in` also tell the browser which files their first screen needs, so that it
 * loads them at once. `index`, which the service worker keeps for all addresses, does not.
 */
function firstPage({ url, headers }: FastifyRequest, { hasSession }: PageDeps): 'index' | 'home' | 'sign-in' {
  if (headers['sec-fetch-mode'] !== 'navigate') return 'index'
  if (!hasSession(headers.cookie)) return 'sign-in'
  return /^\/app\/?(?:\?|$)/.test(url) ? 'home' : 'index'
}

/** True for the plugin's errors about the address, such as one that leads out of the folder or holds a NUL. */
function namesNoFile(error: unknown): boolean {
  const { statusCode = 500 } = error as { readonly statusCode?: number }
  return statusCode >= 400 && statusCode < 500
}

/**
 * Serves the dashboard's built files. Every address under `/app` or `/desk`, except below their `/api`, gets the page of the
 * app or of the desk; its script reads the address. Under `/assets` are the files that the pages load, with names that change
 * with their content. It also serves the files by which browsers install the app.
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

function registerPages(app: FastifyInstance, deps: PageDeps): void {
  const { answerUnknown, folder = builtFolder } = deps
  const isBuilt = existsSync(join(folder, 'app/index.html'))
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
      // Browsers ask for the page each time, so that a new version is seen at once; compressed, it is about 1 KB.
      const page = face === 'app' ? firstPage(request, deps) : 'index'
      return reply.sendFile(`${face}/${page}.html`, folder, { cacheControl: false })
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
