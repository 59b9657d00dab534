import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../test/servers/start-mail-server.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { ensureLocalCertificate } from '../platform/http/listener/local-certificate-authority.ts'
import { clearAlarm } from './clear-alarm.ts'
import { deliverAlerts } from './deliver-alerts.ts'
import { raiseAlarm } from './raise-alarm.ts'
import type { AlertChannels } from './send-alerts.ts'

const log = pino({ level: 'silent' })

let database: TestDatabase
let dataDir: string
let mailServer: MailServer
let receiver: Server
let channels: AlertChannels
let posts: { text: string; alerts: { id: string; change: string; name: string; subject: string }[] }[] = []
/** The statuses that the receiver will answer with, in order; 200 when the list is empty. */
let statuses: number[] = []

async function readText(stream: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const part of stream) text += part.toString()
  return text
}

async function answerPost(message: IncomingMessage): Promise<number> {
  const text = await readText(message)
  const status = statuses.shift() ?? 200
  if (status === 200) posts.push(JSON.parse(text) as (typeof posts)[number])
  return status
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'makola-alerts-'))
  const { certFile, keyFile, caFile } = await ensureLocalCertificate(dataDir, ['localhost'])
  const [cert, key, ca] = await Promise.all([readFile(certFile), readFile(keyFile), readFile(caFile)])
  mailServer = await startMailServer()
  receiver = createServer({ cert, key }, (message, response) => {
    void answerPost(message).then((status) => response.writeHead(status).end())
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  channels = {
    email: 'owner@example.com',
    webhookUrl: `https://localhost:${(receiver.address() as AddressInfo).port}/alerts`,
    smtpUrl: mailServer.url,
    publicUrl: 'https://shop.example.com',
    dispatcher: new Agent({ connect: { ca } }),
  }
})
afterAll(async () => {
  await channels.dispatcher?.close()
  receiver.closeAllConnections()
  await Promise.all([mailServer.close(), new Promise((resolve) => receiver.close(resolve))])
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  mailServer.mails.length = 0
  posts = []
  statuses = []
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const raise = (subject: string) =>
  raiseAlarm(database.db, log, { name: 'route_paused', subject, message: `Route ${subject} is paused.` })
const deliver = (changed: Partial<AlertChannels> = {}) => deliverAlerts(database.db, log, { ...channels, ...changed })
const makeDue = () =>
  database.db
    .updateTable('alert_notices')
    .set({ next_try_at: new Date(0) })
    .execute()

test('tells of a raised alarm once over each channel, and once that it cleared', async () => {
  await raise('datamart/data/MTN')
  for (let round = 0; round < 3; round += 1) await deliver()
  expect(mailServer.mails).toHaveLength(1)
  expect(mailServer.mails[0]).toMatch(/Subject: \[Makola\] ALARM: route_paused datamart\/data\/MTN/)
  expect(mailServer.mails[0]).toContain('To: owner@example.com')
  expect(mailServer.mails[0]).toContain('Route datamart/data/MTN is paused.')
  expect(posts.map((post) => post.alerts.map(({ change, subject }) => [change, subject]))).toEqual([
    [['raised', 'datamart/data/MTN']],
  ])
  await clearAlarm(database.db, 'route_paused', 'datamart/data/MTN')
  for (let round = 0; round < 3; round += 1) await deliver()
  expect(mailServer.mails).toHaveLength(2)
  expect(posts.map(({ alerts }) => alerts[0]?.change)).toEqual(['raised', 'cleared'])
})

test('tells of no end that is more than a month ago', async () => {
  for (const [subject, days] of [
    ['old', 31],
    ['new', 29],
  ] as const) {
    await raise(subject)
    await deliver()
    await clearAlarm(database.db, 'route_paused', subject)
    await sql`update alarms set cleared_at = cleared_at - make_interval(days => ${days}) where subject = ${subject}`.execute(
      database.db,
    )
  }
  await deliver()
  expect(posts.flatMap(({ alerts }) => alerts).filter(({ change }) => change === 'cleared')).toMatchObject([{ subject: 'new' }])
})

test('tells of the command that helps, after the message', async () => {
  const alarm = {
    name: 'audit',
    subject: 'wallets',
    message: 'The audit found 1 bad row: wallets.',
    command: 'Run `makola audit`.',
  }
  await raiseAlarm(database.db, log, alarm)
  await deliver()
  expect(mailServer.mails[0]).toContain('The audit found 1 bad row: wallets. Run `makola audit`.')
  expect(posts[0]?.alerts).toMatchObject([{ message: 'The audit found 1 bad row: wallets. Run `makola audit`.' }])
})

test('tells of many alarms in one message', async () => {
  for (const network of ['MTN', 'Telecel', 'AT-iShare']) await raise(`datamart/data/${network}`)
  await deliver()
  expect(mailServer.mails).toHaveLength(1)
  expect(mailServer.mails[0]).toContain('[Makola] 3 alarms')
  expect(posts[0]?.alerts).toHaveLength(3)
})

test('tries again later what could not be sent, and does not tell the other channel twice', async () => {
  statuses = [500, 302]
  await raise('datamart/data/MTN')
  await deliver()
  await deliver()
  expect(posts).toHaveLength(0)
  await makeDue()
  await deliver()
  expect(posts).toHaveLength(0)
  await makeDue()
  await deliver()
  expect(posts).toHaveLength(1)
  expect(mailServer.mails).toHaveLength(1)
  const row = await database.db.selectFrom('alert_notices').selectAll().where('channel', '=', 'webhook').executeTakeFirstOrThrow()
  expect(row).toMatchObject({ tries: 3, last_failure: null })
  expect(row.sent_at).toBeInstanceOf(Date)
})

test('keeps an alert while the mail server is away', async () => {
  await raise('datamart/data/MTN')
  await deliver({ smtpUrl: 'smtp://127.0.0.1:9', webhookUrl: '' })
  const row = await database.db.selectFrom('alert_notices').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    channel: 'email',
    tries: 1,
    sent_at: null,
    last_failure: expect.stringContaining('could not be reached'),
  })
  await makeDue()
  await deliver({ webhookUrl: '' })
  expect(mailServer.mails).toHaveLength(1)
})

test('says nothing of an alarm that cleared before it was told', async () => {
  statuses = [500]
  await raise('datamart/data/MTN')
  await deliver({ email: '' })
  await clearAlarm(database.db, 'route_paused', 'datamart/data/MTN')
  await makeDue()
  await deliver({ email: '' })
  expect(posts).toHaveLength(0)
})

test('tells a new channel of the alarms that stand, not of those that are over', async () => {
  await raise('datamart/data/MTN')
  await raise('datamart/data/Telecel')
  await clearAlarm(database.db, 'route_paused', 'datamart/data/Telecel')
  await deliver({ email: '', webhookUrl: '' })
  await deliver({ email: '' })
  expect(posts.flatMap(({ alerts }) => alerts.map(({ subject }) => subject))).toEqual(['datamart/data/MTN'])
})

test('tells a channel that was removed and is back of the alarms that stand, and of those that cleared after it was told', async () => {
  const tell = () => deliver({ email: '' })
  const subjectsOf = (change: string) =>
    posts.flatMap(({ alerts }) => alerts.filter((alert) => alert.change === change)).map(({ subject }) => subject)
  await raise('told')
  await tell()
  statuses = [500, 500]
  await raise('stands')
  await raise('clears meanwhile')
  await tell()
  await clearAlarm(database.db, 'route_paused', 'told')
  await tell()
  await deliver({ email: '', webhookUrl: '' })
  await clearAlarm(database.db, 'route_paused', 'clears meanwhile')
  for (let round = 0; round < 2; round += 1) await tell()
  expect([subjectsOf('raised'), subjectsOf('cleared')]).toEqual([['told', 'stands'], ['told']])
})

test('does not tell any more what could not be told for a day', async () => {
  statuses = [500]
  await raise('datamart/data/MTN')
  await deliver({ email: '' })
  await sql`update alert_notices set created_at = clock_timestamp() - interval '25 hours'`.execute(database.db)
  for (let round = 0; round < 2; round += 1) await deliver({ email: '' })
  expect(posts).toEqual([])
})

test('tells again when an alarm is raised anew after it cleared', async () => {
  for (let round = 0; round < 2; round += 1) {
    await raise('datamart/data/MTN')
    await deliver({ email: '' })
    await clearAlarm(database.db, 'route_paused', 'datamart/data/MTN')
    await deliver({ email: '' })
  }
  expect(posts.map(({ alerts }) => alerts[0]?.change)).toEqual(['raised', 'cleared', 'raised', 'cleared'])
  expect(new Set(posts.map(({ alerts }) => alerts[0]?.id)).size).toBe(2)
})
