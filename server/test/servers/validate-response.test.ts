import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Envelope, ok } from '../../src/platform/http/envelope.ts'
import { Uuid } from '../../src/platform/http/schemas.ts'
import { type HttpApp, startHttpApp } from '../start-http-app.ts'
import { validateResponsesAgainst } from './validate-response.ts'

let http: HttpApp
let validate: ReturnType<typeof validateResponsesAgainst>

beforeAll(async () => {
  http = await startHttpApp((api) => {
    const schema = {
      params: Type.Object({ reference: Type.String() }),
      response: { 200: Envelope(Type.Object({ order_id: Uuid() })) },
    }
    api.get('/orders/:reference', { config: { keyType: 'standard', refusals: [404] }, schema }, () =>
      ok({ order_id: '019b0000-0000-7000-8000-000000000000' }),
    )
  })
  validate = validateResponsesAgainst(http.app.swagger())
})
afterAll(() => http.close())

const path = '/api/v2/orders/a%2Fb?x=1'
const meta = { timestamp: '2026-01-01T00:00:00.000Z', version: 'v2' }
const error = { success: false, error: { code: 404, message: 'No.' } }

it('lets pass what fits the document', async () => {
  const answer = await http.ask('GET', path, { headers: { authorization: 'standard-key' } })
  const fitting = [
    { method: 'GET', path, status: answer.status, body: answer.json, headers: answer.headers },
    { method: 'GET', path, status: 404, body: error },
    { method: 'DELETE', path, status: 404, body: error },
    { method: 'GET', path: '/api/v2/nowhere', status: 404, body: error },
  ]
  for (const response of fitting) expect(() => validate(response)).not.toThrow()
})

it.each([
  ['data that does not fit its schema', 200, { success: true, data: { order_id: 7 }, meta }],
  ['data that lacks a field', 200, { success: true, data: {}, meta }],
  [
    'another version',
    200,
    { success: true, data: { order_id: '019b0000-0000-7000-8000-000000000000' }, meta: { ...meta, version: 'v1' } },
  ],
  ['no envelope', 200, { order_id: '019b0000-0000-7000-8000-000000000000' }],
  ['a status that is not listed', 418, error],
  ['an error with a field too many', 404, { ...error, hint: 'x' }],
  ['an error without its code', 404, { success: false, error: { message: 'No.' } }],
])('throws for %s', (_name, status, body) => {
  expect(() => validate({ method: 'GET', path, status, body })).toThrow(/does not fit|does not list/)
})

it('throws for a success of something that is not in the document', () => {
  expect(() => validate({ method: 'GET', path: '/api/v2/secret', status: 200, body: {} })).toThrow('not in the OpenAPI document')
})

it('throws for a header that is not declared', () => {
  const body = { success: true, data: { order_id: '019b0000-0000-7000-8000-000000000000' }, meta }
  const headers = { 'x-request-id': 'a', 'x-secret': 'b', date: 'now' }
  expect(() => validate({ method: 'GET', path, status: 200, body, headers })).toThrow(/headers not declared: x-secret$/)
})
