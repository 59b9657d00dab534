import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../test/servers/start-mail-server.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { raiseAlarms } from '../notices/raise-alarm.ts'

const commandLine = fileURLToPath(new URL('../../bin/makola.js', import.meta.url))
const secretsKey = randomBytes(32).toString('base64')

let database: TestDatabase
let mailServer: MailServer

beforeAll(async () => {
  database = await createTestDatabase()
  mailServer = await startMailServer()
})
afterAll(async () => {
  await mailServer.close()
  await database.drop()
})

async function makola(...words: string[]) {
  const environment = {
    DATABASE_URL: database.applicationUrl,
    SECRETS_KEY: secretsKey,
    SMTP_URL: mailServer.url,
    PUBLIC_URL: 'https://shop.example.com',
  }
  const child = spawn(process.execPath, [commandLine, '--json', ...words], { env: { ...process.env, ...environment } })
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString()
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, json: JSON.parse(output) as unknown }
}

test('alert test fails while no channel is set up', async () => {
  expect(await makola('alert', 'test')).toMatchObject({
    code: 1,
    json: { error: { message: expect.stringContaining('No channel') } },
  })
})

test('alert test sends over every channel and says which one failed', async () => {
  await makola('setting', 'set', 'alert_email', 'owner@example.com')
  expect(await makola('alert', 'test')).toEqual({ code: 0, json: { ok: true, channels: { email: 'sent' } } })
  expect(mailServer.mails[0]).toContain('[Makola] ALARM: test alerts')
  await makola('setting', 'set', 'alert_webhook_url', 'https://127.0.0.1:9/secret')
  const { code, json } = await makola('alert', 'test')
  expect(code).toBe(1)
  expect(json).toMatchObject({ ok: false, channels: { email: 'sent', webhook: expect.stringContaining('could not be reached') } })
  expect(JSON.stringify(json)).not.toContain('secret')
})

test('alert settings take only an address', async () => {
  expect((await makola('setting', 'set', 'alert_email', 'owner@example.com, other')).code).toBe(2)
  expect((await makola('setting', 'set', 'alert_webhook_url', 'http://example.com')).code).toBe(2)
})

test('alert list shows what stands, and alert clear takes it away', async () => {
  await raiseAlarms(database.db, [{ name: 'contradiction', subject: 'order-1', message: 'They say otherwise.' }])
  expect(await makola('alert', 'list')).toMatchObject({
    code: 0,
    json: { alarms: [{ name: 'contradiction', subject: 'order-1' }] },
  })
  expect(await makola('alert', 'clear', 'contradiction', 'order-1')).toMatchObject({ code: 0, json: { cleared: true } })
  expect(await makola('alert', 'list')).toEqual({ code: 0, json: { alarms: [] } })
  expect((await makola('alert', 'clear', 'contradiction', 'order-1')).code).toBe(1)
})
