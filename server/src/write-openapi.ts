import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describeApiRoutes } from './api-routes.ts'
import { buildApp } from './build-app.ts'
import { RefusalError, refusals } from './platform/http/refusals.ts'

const path = fileURLToPath(new URL('../../contract/openapi.json', import.meta.url))

/** The document as the running server serves it. Nothing is called. */
async function readDocument(): Promise<string> {
  const app = buildApp(
    {
      log: pino({ level: 'silent' }),
      transport: { kind: 'proxy', trustedProxies: [] },
      mode: 'live',
      authenticate: () => Promise.reject(new RefusalError(refusals.invalidKey)),
      rateLimiter: { count: () => Promise.resolve({ requests: 1, resetSeconds: 1 }) },
      rateLimitOverrides: () => ({}),
      isReady: () => false,
    },
    describeApiRoutes,
  )
  await app.ready()
  const document = app.swagger()
  await app.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Writes `contract/openapi.json`, or with `--check` says whether it is still what the schemas say. */
async function writeOpenApi(isCheck: boolean): Promise<void> {
  const text = await readDocument()
  if (!isCheck) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    console.log('contract/openapi.json is written.')
    return
  }
  const written = await readFile(path, 'utf8').catch(() => '')
  if (written === text) {
    console.log('contract/openapi.json is up to date.')
    return
  }
  console.error('contract/openapi.json is stale: run `node server/src/write-openapi.ts` and commit it.')
  process.exitCode = 1
}

await writeOpenApi(process.argv.includes('--check'))
