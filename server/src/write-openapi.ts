import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { pino } from 'pino'
import { describeApiRoutes } from './api-routes.ts'
import { buildApp } from './build-app.ts'
import { describeDashboardRoutes } from './dashboard-routes.ts'
import { compileSerializer } from './platform/http/compile-schemas.ts'
import { describeDashboard } from './platform/http/document/describe-dashboard.ts'
import { compileValidator } from './platform/http/read-requests.ts'
import { RefusalError, refusals } from './platform/http/refusals.ts'

/** The document of the API in the form of the running server. Nothing is called, but every schema is compiled. */
async function readApiDocument(): Promise<object> {
  const app = buildApp(
    {
      log: pino({ level: 'silent' }),
      transport: { kind: 'proxy', trustedProxies: [] },
      mode: 'live',
      authenticate: () => Promise.reject(new RefusalError(refusals.invalidKey)),
      rateLimiter: { count: () => Promise.resolve({ requests: 1, resetSeconds: 1 }) },
      rateLimitOverrides: () => ({}),
      isReady: () => false,
      isCompiledAhead: true,
    },
    describeApiRoutes,
  )
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}

/** The document of the routes that the dashboard's pages call. Nothing is called. */
async function readDashboardDocument(): Promise<object> {
  const app = fastify()
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  describeDashboard(app)
  app.register(async (scope) => describeDashboardRoutes(scope))
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}

const documents = [
  { name: 'contract/openapi.json', read: readApiDocument },
  { name: 'contract/dashboard.openapi.json', read: readDashboardDocument },
] as const

/** Writes the documents of `contract/`, or with `--check` compares them with the schemas. */
async function writeOpenApi(isCheck: boolean): Promise<void> {
  for (const { name, read } of documents) {
    const path = fileURLToPath(new URL(`../../${name}`, import.meta.url))
    const text = `${JSON.stringify(await read(), null, 2)}\n`
    if (!isCheck) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
      console.log(`${name} is written.`)
    } else if ((await readFile(path, 'utf8').catch(() => '')) === text) {
      console.log(`${name} is up to date.`)
    } else {
      console.error(`${name} is stale: run \`node server/src/write-openapi.ts\` and commit it.`)
      process.exitCode = 1
    }
  }
}

await writeOpenApi(process.argv.includes('--check'))
