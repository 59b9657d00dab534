import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../test/start-http-app.ts'
import { ok } from './envelope.ts'

let http: HttpApp
const received: Buffer[] = []

beforeAll(async () => {
  http = await startHttpApp(() => undefined, {
    registerCallbacks: (callbacks) => {
      callbacks.post('/supplier', (request) => {
        received.push(request.body as Buffer)
        return ok('noted')
      })
    },
  })
})
afterAll(() => http.close())

it('hands a callback over byte for byte, without a key and whatever its content type, so that its signature can be checked', async () => {
  const body = '{ "status" : "completed",\r\n "amount": 1.50, "note":"\\u0000" }'
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const { status } = await http.ask('POST', '/callbacks/supplier', { headers: { 'content-type': type }, body })
    expect(status).toBe(200)
    const sign = (bytes: Buffer) => createHmac('sha256', 'secret').update(bytes).digest('hex')
    expect(sign(received.at(-1) ?? Buffer.alloc(0))).toBe(sign(Buffer.from(body)))
  }
})

it('answers a callback above 256 KiB, or to nowhere, in the error envelope', async () => {
  const before = received.length
  const tooLarge = await http.ask('POST', '/callbacks/supplier', { body: Buffer.alloc(262_145) })
  expect(tooLarge).toMatchObject({ status: 400, json: { success: false } })
  expect(await http.ask('POST', '/callbacks/nobody', { body: '{}' })).toMatchObject({ status: 404, json: { success: false } })
  expect(received).toHaveLength(before)
})
