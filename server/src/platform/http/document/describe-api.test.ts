import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../../test/start-http-app.ts'
import { Envelope, ok } from '../envelope.ts'
import { Moment, Nullable, OneOf } from '../schemas.ts'

type Operation = {
  operationId: string
  description: string
  security?: object[]
  responses: Record<string, object>
  requestBody?: object
}
type Document = {
  openapi: string
  servers: object[]
  security: object[]
  tags: object[]
  components: { securitySchemes: object; responses: object }
  paths: Record<string, Record<string, Operation>>
}

let http: HttpApp
let document: Document

const Order = Type.Object({ network: OneOf(['MTN', 'AT']), ends_at: Nullable(Moment()) })

beforeAll(async () => {
  http = await startHttpApp(
    (api) => {
      api.post(
        '/airtime/purchase',
        {
          config: { keyType: 'commission', limit: { name: 'POST /airtime/purchase', perMinute: 10 }, refusals: [404, 409] },
          schema: {
            tags: ['Airtime'],
            operationId: 'purchaseAirtime',
            summary: 'Buy airtime',
            description: 'No fee is charged.',
            body: Order,
            response: { 200: Envelope(Order) },
          },
        },
        (request) => ok(request.body),
      )
    },
    { publicUrl: 'https://shop.example.com' },
  )
  document = (await http.ask('GET', '/openapi.json')).json as unknown as Document
})
afterAll(() => http.close())

it('serves an OpenAPI 3.1 document whose paths are relative to this installation’s /api/v2 and whose key stands in Authorization', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toMatchObject([{ url: 'https://shop.example.com/api/v2' }])
  expect(document.components.securitySchemes).toMatchObject({ ApiKey: { type: 'apiKey', in: 'header', name: 'Authorization' } })
  expect(document.security).toEqual([{ ApiKey: [] }])
  expect(Object.keys(document.paths)).toEqual(['/airtime/purchase', '/wallet/topup'])
  expect(document.tags).toEqual([{ name: 'Airtime' }, { name: 'Wallet' }, { name: 'Webhooks' }])
})

it('describes each endpoint with its key, its limit and every status it answers', () => {
  const operation = document.paths['/airtime/purchase']?.['post']
  expect(operation?.description).toContain('No fee is charged.')
  expect(operation?.description).toContain('Takes a commission key.')
  expect(operation?.description).toContain('10 requests per key and minute')
  expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '400', '401', '403', '404', '409', '429', '500', '503'])
  expect(operation?.responses['409']).toEqual({ $ref: '#/components/responses/Refused409' })
  expect(Object.keys(document.components.responses)).toContain('Refused409')
  expect(Object.keys(document.components.responses)).not.toContain('Refused402')
})

it('shows lists of values as enum and null as a type, not as anyOf', () => {
  const body = JSON.stringify(document.paths['/airtime/purchase']?.['post']?.requestBody)
  expect(body).toContain('"enum":["MTN","AT"]')
  expect(body).toContain('"type":["string","null"]')
  expect(body).not.toContain('anyOf')
})

it('shows the tombstone of top-up as 410 without a key', () => {
  const operation = document.paths['/wallet/topup']?.['post']
  expect(Object.keys(operation?.responses ?? {})).toEqual(['410'])
  expect(operation?.security).toEqual([])
})

it('serializes a nullable field both ways', async () => {
  const ask = async (ends_at: string | null) => {
    const body = JSON.stringify({ network: 'MTN', ends_at })
    const headers = { authorization: 'commission-key', 'content-type': 'application/json' }
    return (await http.ask('POST', '/api/v2/airtime/purchase', { headers, body })).json?.data
  }
  expect(await ask(null)).toEqual({ network: 'MTN', ends_at: null })
  expect(await ask('2026-01-01T00:00:00.000Z')).toEqual({ network: 'MTN', ends_at: '2026-01-01T00:00:00.000Z' })
})
