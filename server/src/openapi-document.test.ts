import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { Agent, request as send } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../test/must-pass-audit.ts'
import { patientCallSeconds } from '../test/patience.ts'
import { validateResponsesAgainst } from '../test/servers/validate-response.ts'
import { type RunningSimulator, startSimulator } from '../test/start-simulator.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { type RunningApi, startApi } from './api.ts'
import { type Config, readConfig } from './config.ts'
import type { DemoKeys } from './demo/demo-files.ts'
import { seedDemo } from './demo/seed-demo.ts'
import type { makeBruno, Collection as PostmanCollection } from './docs/make-collections.ts'
import { findFreePort } from './platform/find-free-port.ts'

type Schema = { $ref?: string; type?: string; properties?: object; anyOf?: Schema[] }
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
type Parameter = { name: string; in: string; example?: unknown }
type Link = { operationId: string; parameters: Record<string, string> }
type Operation = {
  operationId: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media>; links?: Record<string, Link> }>
}
type Document = {
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema & Record<string, unknown>> }
}

/** A request of a collection. Its texts name variables. */
type Prepared = {
  name: string
  method: 'GET' | 'POST'
  url: string
  path: Map<string, string>
  query: [string, string][]
  headers: [string, string][]
  body: string | undefined
  script: string
}
type Prepare = (collection: unknown) => { variables: [string, string][]; requests: Prepared[] }
const pairs = (list: readonly { key: string; value: string }[]) => list.map(({ key, value }): [string, string] => [key, value])
const named = (list: readonly { name: string; value: string }[]) => list.map(({ name, value }): [string, string] => [name, value])

const postmanRequests: Prepare = (found) => {
  const { variable, item } = found as PostmanCollection
  const requests = item
    .flatMap((group) => group.item)
    .map(({ name, request: { method, url, header, body }, event }) => ({
      name,
      method: method as 'GET',
      url: url.raw,
      path: new Map(pairs(url.variable)),
      query: pairs(url.query.filter(({ disabled }) => !disabled)),
      headers: pairs(header),
      body: body?.raw,
      script: (event ?? []).flatMap(({ script }) => script.exec).join('\n'),
    }))
  return { variables: pairs(variable), requests }
}

const brunoRequests: Prepare = (found) => {
  const { environments, items } = found as ReturnType<typeof makeBruno>
  const requests = items
    .flatMap((folder) => folder.items)
    .map(({ name, request: { method, url, headers, params, body, script } }) => ({
      name,
      method: method as 'GET',
      url,
      path: new Map(named(params.filter(({ type }) => type === 'path'))),
      query: named(params.filter(({ type, enabled }) => type === 'query' && enabled)),
      headers: named(headers),
      body: body.json,
      script: script.res ?? '',
    }))
  return { variables: named(environments[0]?.variables ?? []), requests }
}

let database: TestDatabase
let simulator: RunningSimulator
let config: Config
let api: RunningApi
let agent: Agent
let document: Document
let keys: DemoKeys

/** A demo without invented orders: its catalogue, its account, its keys, and suppliers that answer. */
beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startSimulator()
  const port = await findFreePort('127.0.0.1')
  const { dataDir, url } = simulator
  config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    SIMULATOR_URL: url,
    SIMULATOR_CALL_SECONDS: String(patientCallSeconds),
    RATE_LIMIT_STORE: 'memory',
    DEMO: 'empty',
  })
  const log = pino({ level: 'silent' })
  const seeding = await seedDemo({ db: database.db, config, log })
  if (!seeding.keys) throw new Error('the demo has no keys')
  keys = seeding.keys
  api = await startApi({ config, database: { url: database.applicationUrl }, log })
  agent = new Agent({ connect: { ca: await readFile(join(config.dataDir, 'tls', 'ca.pem')) } })
  const response = await send(`${config.publicUrl}/openapi.json`, { dispatcher: agent })
  document = (await response.body.json()) as Document
})
afterAll(async () => {
  try {
    await mustPassAudit(database.db)
  } finally {
    await agent.close()
    await api.close()
    await simulator.stop()
    await database.drop()
  }
})

type Endpoint = { method: string; path: string; operation: Operation }

function endpoints(): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const media = (content: Record<string, Media> | undefined) => content?.['application/json']

/** Every schema of the document, however deep, with the way to it. */
function schemasIn(value: unknown, way = '#'): { way: string; schema: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) =>
    ['example', 'examples'].includes(key) ? [] : schemasIn(each, `${way}/${key}`),
  )
  return [{ way, schema: value as Record<string, unknown> }, ...inner]
}

describe('the OpenAPI document', () => {
  it('names every object that is sent or answered, so that generated clients have one type per thing', () => {
    const { schemas } = document.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Package',
        'DataOrder',
        'AirtimeOrder',
        'VoucherOrder',
        'AfaOrder',
        'SmsCampaign',
        'Biller',
        'ApiError',
      ]),
    )
    const named = new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`))
    const nameless = schemasIn({ paths: document.paths, components: document.components })
      .filter(({ way, schema }) => !named.has(way) && (schema['properties'] !== undefined || schema['anyOf'] !== undefined))
      .filter(({ way }) => !way.endsWith('/properties'))
      .map(({ way }) => way)
    expect(nameless).toEqual([])
  })

  it('says of each form of an answer what it is, and of each of its fields', () => {
    const forms = Object.values(document.components.schemas).flatMap((schema) => schema.anyOf ?? [])
    expect(forms.map(({ $ref }) => $ref?.split('/').at(-1))).toEqual(['UtilityPaymentPlaced', 'UtilityPaymentRepeated'])
    for (const { $ref } of forms) {
      const form = document.components.schemas[$ref?.split('/').at(-1) ?? '']
      expect(form?.['description']).toEqual(expect.any(String))
      for (const [name, field] of Object.entries(form?.properties ?? {})) {
        expect([name, (field as { description?: string }).description]).toEqual([name, expect.stringMatching(/./)])
      }
    }
    const placed = media(document.paths['/utilities/pay']?.['post']?.responses['200']?.content)?.examples
    expect(Object.keys(placed ?? {})).toEqual(['UtilityPaymentPlaced', 'UtilityPaymentRepeated'])
  })

  it('has only patterns that every engine knows: without looking around, and without repeating what matched (RE2)', () => {
    const patterns = schemasIn(document).flatMap(({ way, schema }) =>
      typeof schema['pattern'] === 'string' ? [{ way, pattern: schema['pattern'] }] : [],
    )
    expect(patterns.length).toBeGreaterThan(5)
    for (const { way, pattern } of patterns) {
      expect(() => new RegExp(pattern, 'u')).not.toThrow()
      expect([way, /\(\?(?!:)|\\[1-9]|\\k</.test(pattern)]).toEqual([way, false])
    }
  })

  it('calls the server of a number check an integer', () => {
    for (const server of [1, 2]) {
      const check = document.components.schemas[`NumberCheckOnServer${server}`] as { properties: { server: object } }
      expect(check.properties.server).toMatchObject({ type: 'integer', enum: [server] })
    }
  })
})

/** A value out of an answer, by the expression of a link: `$response.body#/data/reference`. */
function follow(expression: string, body: unknown): unknown {
  return expression
    .replace('$response.body#/', '')
    .split('/')
    .reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], body)
}

describe('the examples of requests', () => {
  it('work on the demo as they stand, sent to the address of the document with all their parameters', async () => {
    const check = validateResponsesAgainst(document)
    const answered: [string, number][] = []
    const linked = new Map<string, unknown>()
    for (const { method, path, operation } of endpoints().filter((each) => each.operation.responses['200'])) {
      const { operationId, parameters = [], requestBody, description = '' } = operation
      const valueOf = ({ name, example }: Parameter) => String(linked.get(`${operationId}.${name}`) ?? example)
      const query = parameters
        .filter((parameter) => parameter.in === 'query')
        .map((each): [string, string] => [each.name, valueOf(each)])
      const bare = parameters.reduce((text, each) => text.replace(`{${each.name}}`, encodeURIComponent(valueOf(each))), path)
      const address = new URL(`${document.servers[0]?.url}${bare}`)
      address.search = new URLSearchParams(query).toString()
      const [, keyType = ''] = /Takes an? (\w+) key/.exec(description) ?? []
      const body = media(requestBody?.content)?.example
      const response = await send(address, {
        method: method as 'GET',
        dispatcher: agent,
        headers: {
          authorization: keys[keyType.toLowerCase() as keyof DemoKeys],
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const answer = (await response.body.json()) as { error?: { message: string } }
      answered.push([`${operationId} ${answer.error?.message ?? ''}`.trim(), response.statusCode])
      check({ method, path: address.pathname, status: response.statusCode, body: answer, headers: response.headers })
      for (const link of Object.values(operation.responses['200']?.links ?? {})) {
        for (const [name, from] of Object.entries(link.parameters))
          linked.set(`${link.operationId}.${name}`, follow(from, answer))
      }
    }
    expect(answered).toEqual(answered.map(([operationId]) => [operationId.split(' ')[0], 200]))
    expect(answered).toHaveLength(endpoints().length - 1)
  })

  it.each([
    ['postman', postmanRequests],
    ['bruno', brunoRequests],
  ])('are a collection for %s too, which buys and looks up with nothing filled in but the keys', async (file, requestsIn) => {
    const fetched = await send(`${config.publicUrl}/docs/${file}.json`, { dispatcher: agent })
    const { variables: given, requests } = requestsIn(await fetched.body.json())
    const variables = new Map(given)
    for (const [type, key] of Object.entries(keys)) variables.set(`${type}Key`, key)
    const filled = (text: string) => text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => variables.get(name) ?? `no ${name}`)
    const answered: [string, number][] = []
    for (const { name, method, url, path, query, headers, body, script } of requests) {
      const address = url.replaceAll(/(?<=\/):(\w+)/g, (_, key: string) => encodeURIComponent(filled(path.get(key) ?? '')))
      const response = await send(filled(`${address}?${new URLSearchParams(query).toString()}`), {
        method,
        dispatcher: agent,
        headers: Object.fromEntries(headers.map(([key, value]) => [key.toLowerCase(), filled(value)])),
        ...(body !== undefined && { body }),
      })
      const json: unknown = await response.body.json()
      answered.push([name, response.statusCode])
      const set = (key: string, value: string) => variables.set(key, value)
      const pm = { response: { code: response.statusCode, json: () => json }, collectionVariables: { set } }
      runInNewContext(script, { pm, bru: { setVar: set }, res: { status: response.statusCode, body: json } })
    }
    // A registration is never replayed. The example before this one has used the reference, so this one is refused.
    const expected = (name: string) => (name.startsWith('Register a customer') ? 409 : name.startsWith('Top up') ? 410 : 200)
    expect(answered).toEqual(answered.map(([name]) => [name, expected(name)]))
    expect(answered).toHaveLength(endpoints().length)
  })

  it('that move money have a reference, so that sending them again charges nothing', () => {
    const withReference = endpoints().filter(({ operation }) =>
      JSON.stringify(media(operation.requestBody?.content) ?? {}).includes('"reference"'),
    )
    expect(withReference.map(({ operation }) => operation.operationId).toSorted()).toEqual([
      'payBill',
      'purchaseAirtime',
      'purchaseData',
      'purchaseDataBatch',
      'purchaseVouchers',
      'registerAfa',
      'sendSms',
    ])
  })
})
