import { once } from 'node:events'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../../test/start-http-app.ts'
import { DatabaseAwayError } from '../../database/database-errors.ts'
import { ok } from '../envelope.ts'

/** The limit in these tests. A request that waits for nothing ends within it, even on a machine that is three times slower. */
const answerMilliseconds = 1_000

const headers = { authorization: 'standard-key', 'content-type': 'application/json' }
let http: HttpApp
let lines: { msg?: string; level: number; err?: { message: string } }[] = []
let begun: string[]
/** The handlers and the check of the key `held-key` wait until the test resolves this promise. */
let held: PromiseWithResolvers<void>

const log = pino(
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  }),
)

beforeAll(async () => {
  http = await startHttpApp(
    (api) => {
      const config = { keyType: 'standard' } as const
      const wait = async (name: string) => {
        begun.push(name)
        await held.promise
        return ok({ name })
      }
      api.get('/held', { config }, () => wait('read'))
      api.post('/held', { config }, () => wait('write'))
      api.get('/long', { config: { ...config, longWork: 'It waits for the test.' } }, () => wait('long'))
      api.post('/plain', { config, schema: { body: Type.Object({ text: Type.String() }) } }, ({ body }) => ok(body))
      api.get('/away', { config }, () => Promise.reject(new DatabaseAwayError([])))
      api.post('/away', { config }, () => Promise.reject(new DatabaseAwayError([])))
      api.post('/in-doubt', { config }, () => Promise.reject(Object.assign(new Error('warned'), { code: '08007' })))
    },
    {
      log,
      limits: { answerMilliseconds },
      authenticate: async (asked) => {
        if (asked.authorization === 'held-key') await held.promise
        return { accountId: 'account', keyId: 'key', keyType: 'standard', role: 'customer', roleExpiresAt: null }
      },
    },
  )
})
afterAll(() => http.close())
beforeEach(() => {
  lines = []
  begun = []
  held = Promise.withResolvers()
})

const post = (path: string, given = headers) => http.ask('POST', `/api/v2${path}`, { headers: given, body: '{}' })
const get = (path: string, given = headers) => http.ask('GET', `/api/v2${path}`, { headers: given })

async function refusalIn(asked: ReturnType<HttpApp['ask']>) {
  const { status, headers: answered } = await asked
  expect(Number(answered['retry-after'])).toBeGreaterThan(0)
  return [status, answered['x-error-reason']]
}

const until = (line: string) => expect.poll(() => lines.map(({ msg }) => msg)).toContain(line)

describe('a caller whose time is over', () => {
  it('reads that a try which only reads, or was still checked, did nothing', async () => {
    const heldKey = { ...headers, authorization: 'held-key' }
    const asked = [get('/held'), get('/held', heldKey), post('/held', heldKey), get('/long', heldKey)]
    for (const refusal of await Promise.all(asked.map(refusalIn))) expect(refusal).toEqual([503, 'overloaded'])
    held.resolve()
    await until('the work of a request ended after its caller was answered')
    // The key checks of the other requests have ended too, and their handlers were not called.
    expect((await get('/held')).status).toBe(200)
    expect(begun).toEqual(['read', 'read'])
  })

  it('reads that the outcome of a change is unknown once its work has begun', async () => {
    expect(await refusalIn(post('/held'))).toEqual([503, 'outcome_unknown'])
    held.resolve()
    await until('the work of a request ended after its caller was answered')
    expect(lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)).toEqual([
      'refused in the last moment',
      'the work of a request ended after its caller was answered',
    ])
  })

  it('leaves work behind that may fail: it is logged, and the process goes on', async () => {
    expect(await refusalIn(post('/held'))).toEqual([503, 'outcome_unknown'])
    held.reject(new Error('too late'))
    await until('the work of a request failed after its caller was answered')
    expect(lines.at(-1)?.err?.message).toBe('too late')
    expect((await http.ask('POST', '/api/v2/plain', { headers, body: '{"text":"on"}' })).status).toBe(200)
  })
})

describe('what may take longer', () => {
  it('is the work of a route that says why', async () => {
    const long = get('/long')
    await expect.poll(() => begun).toEqual(['long'])
    await get('/held')
    held.resolve()
    expect((await long).status).toBe(200)
  })

  it('is a body on its way', async () => {
    const socket = await http.connect()
    const body = '{"text":"slow"}'
    socket.write(
      `POST /api/v2/plain HTTP/1.1\r\nhost: localhost\r\nauthorization: standard-key\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    )
    socket.write(body.slice(0, 5))
    await get('/held')
    await get('/held')
    socket.write(body.slice(5))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
    held.resolve()
  })
})

describe('a database that does not answer', () => {
  it('leaves the outcome of a change unknown, because an earlier statement of it, or a COMMIT, may have been carried out', async () => {
    expect(await refusalIn(get('/away'))).toEqual([503, 'overloaded'])
    expect(await refusalIn(post('/away'))).toEqual([503, 'outcome_unknown'])
    expect(await refusalIn(post('/in-doubt'))).toEqual([503, 'outcome_unknown'])
  })
})
