import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import type { CourtesySms, CourtesySmsOutcome } from './message-transports.ts'
import { type CourtesyChannel, queueCourtesyNotices } from './queue-notices.ts'
import { type CourtesyDeps, sendCourtesyNotices } from './send-courtesy-notices.ts'
import { sendMail } from './send-mail.ts'

type Received = { to: string[]; text: string }

/** A real mail server on this machine, and the mails that it accepted. */
type Mailbox = { url: string; received: Received[]; close(): Promise<void> }

function openMailbox(
  options: SMTPServerOptions = {},
  onText?: (server: SMTPServer) => Error | 'hang up' | undefined,
): Promise<Mailbox> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const verdict = onText?.(server)
        if (verdict === 'hang up') {
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
          for (const connection of server.connections) connection.close()
          return
        }
        if (!verdict)
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
        done(verdict)
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.server.address() as AddressInfo
      const close = () => new Promise<void>((closed) => server.close(() => closed()))
      resolve({ url: `smtp://127.0.0.1:${port}`, received, close })
    })
  })
}

/** A refusal with an SMTP code, as the server's library takes it. */
const refusal = (responseCode: number) => Object.assign(new Error('refused'), { responseCode })

let database: TestDatabase
let mailboxes: Mailbox[] = []
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  await sql`delete from courtesy_notices`.execute(database.ownerDb)
})
afterEach(async () => {
  await Promise.all(mailboxes.map((mailbox) => mailbox.close()))
  mailboxes = []
})
afterAll(() => database.drop())

async function mailbox(...options: Parameters<typeof openMailbox>): Promise<Mailbox> {
  const opened = await openMailbox(...options)
  mailboxes.push(opened)
  return opened
}

const compose: CourtesyDeps['compose'] = async (_, channel) => ({
  to: channel === 'sms' ? '0241234567' : 'ama@example.com',
  subject: 'Your voucher',
  text: 'Serial 1 PIN 4711',
})
const depsFor = (more: Partial<CourtesyDeps>): CourtesyDeps => ({
  db: database.db,
  log,
  compose,
  mailServer: undefined,
  sms: undefined,
  ...more,
})
const mailTo = ({ url }: Mailbox) => ({ smtpUrl: url, from: 'Makola <makola@example.com>' })

async function queue(...channels: CourtesyChannel[]): Promise<string> {
  const orderId = newId()
  await inTransaction(database.db, (tx) =>
    queueCourtesyNotices(
      tx,
      channels.map((channel) => ({ orderId, channel })),
    ),
  )
  return orderId
}
async function states(orderId: string) {
  const rows = await database.db
    .selectFrom('courtesy_notices')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('channel')
    .execute()
  return rows.map(({ channel, state, tries, reason }) => ({ channel, state, tries, reason }))
}
const makeDue = () => sql`update courtesy_notices set next_try_at = now() where state = 'queued'`.execute(database.db)

/** An SMS port that keeps each SMS in `sent` and always returns this outcome. */
function smsPort(outcome: CourtesySmsOutcome) {
  const sent: CourtesySms[] = []
  return { sent, sendSms: async (sms: CourtesySms) => (sent.push(sms), outcome) }
}

describe('a courtesy message', () => {
  it('is mailed once, however many workers look for it and however often', async () => {
    const box = await mailbox()
    const orderId = await queue('email')
    const deps = depsFor({ mailServer: mailTo(box) })
    await Promise.all(Array.from({ length: 8 }, () => sendCourtesyNotices(deps)))
    await sendCourtesyNotices(deps)
    expect(box.received).toHaveLength(1)
    expect(box.received[0]).toMatchObject({ to: ['ama@example.com'], text: expect.stringContaining('Serial 1 PIN 4711') })
    expect(await states(orderId)).toEqual([{ channel: 'email', state: 'sent', tries: 1, reason: null }])
  })

  it('by SMS waits until there is a link, and is then sent once', async () => {
    const orderId = await queue('sms')
    await sendCourtesyNotices(depsFor({}))
    expect(await states(orderId)).toEqual([{ channel: 'sms', state: 'queued', tries: 0, reason: null }])
    const port = smsPort({ outcome: 'sent' })
    await sendCourtesyNotices(depsFor({ sms: port }))
    await sendCourtesyNotices(depsFor({ sms: port }))
    expect(port.sent).toEqual([{ to: '0241234567', text: 'Serial 1 PIN 4711' }])
    expect(await states(orderId)).toMatchObject([{ state: 'sent' }])
  })

  it('is tried again when the mail server cannot be reached or says "later", and arrives once', async () => {
    const orderId = await queue('email')
    await sendCourtesyNotices(depsFor({ mailServer: { smtpUrl: 'smtp://127.0.0.1:1', from: 'makola@example.com' } }))
    expect(await states(orderId)).toMatchObject([
      { state: 'queued', tries: 1, reason: expect.stringContaining('could not be reached') },
    ])
    let refusals = 1
    const box = await mailbox({}, () => (refusals-- > 0 ? refusal(451) : undefined))
    for (let round = 0; round < 3; round += 1) {
      await makeDue()
      await sendCourtesyNotices(depsFor({ mailServer: mailTo(box) }))
    }
    expect(box.received).toHaveLength(1)
    expect(await states(orderId)).toMatchObject([{ state: 'sent', tries: 3, reason: null }])
  })

  it('is given up when the mail server refuses it for good', async () => {
    const box = await mailbox({ onRcptTo: (_address, _session, done) => done(refusal(550)) })
    const orderId = await queue('email')
    await sendCourtesyNotices(depsFor({ mailServer: mailTo(box) }))
    expect(await states(orderId)).toEqual([
      { channel: 'email', state: 'undelivered', tries: 1, reason: 'the mail server refused it with 550' },
    ])
  })

  it('is never sent again when the connection breaks after the text went out', async () => {
    const box = await mailbox({}, () => 'hang up')
    const orderId = await queue('email')
    for (let round = 0; round < 2; round += 1) {
      await makeDue()
      await sendCourtesyNotices(depsFor({ mailServer: mailTo(box) }))
    }
    expect(box.received).toHaveLength(1)
    expect(await states(orderId)).toMatchObject([{ state: 'unknown', tries: 1 }])
  })

  it('is never sent again when its sender died while sending', async () => {
    const box = await mailbox()
    const orderId = await queue('email')
    await sql`update courtesy_notices set state = 'sending', tries = 1, lease_until = now() - interval '1 second'`.execute(
      database.db,
    )
    await sendCourtesyNotices(depsFor({ mailServer: mailTo(box) }))
    expect(box.received).toEqual([])
    expect(await states(orderId)).toMatchObject([{ state: 'unknown', reason: 'its sender died while sending' }])
  })

  it('that could not leave for three days is given up', async () => {
    const orderId = await queue('sms', 'email')
    await sql`update courtesy_notices set created_at = now() - interval '73 hours'`.execute(database.db)
    await sendCourtesyNotices(depsFor({ sms: smsPort({ outcome: 'sent' }) }))
    expect(await states(orderId)).toMatchObject([{ state: 'undelivered' }, { state: 'undelivered' }])
  })

  it('that cannot be made is tried again, without its cause in the database', async () => {
    const box = await mailbox()
    const orderId = await queue('email')
    const broken = () => Promise.reject(new Error('the secret cannot be read'))
    await sendCourtesyNotices(depsFor({ mailServer: mailTo(box), compose: broken }))
    expect(await states(orderId)).toMatchObject([{ state: 'queued', reason: 'the message could not be made' }])
  })

  it('exists at most once per order and channel', async () => {
    const orderId = await queue('email')
    const again = inTransaction(database.db, (tx) => queueCourtesyNotices(tx, [{ orderId, channel: 'email' }]))
    await expect(again).rejects.toThrow('courtesy_notices_once_per_order_and_channel')
  })
})

describe('a mail', () => {
  const mail = { to: 'ama@example.com', subject: 'Akwaaba', text: 'ɛ te sɛn?' }

  it('logs in with the name and password of SMTP_URL, and a wrong one is not the mail’s fault', async () => {
    const box = await mailbox({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'ama' && password === 'p@ss' ? done(null, { user: 'ama' }) : done(refusal(535)),
      allowInsecureAuth: true,
    })
    const at = (login: string) => ({ smtpUrl: box.url.replace('smtp://', `smtp://${login}@`), from: 'makola@example.com' })
    expect(await sendMail(at('ama:p%40ss'), mail)).toEqual({ outcome: 'sent' })
    expect(await sendMail(at('ama:wrong'), mail)).toMatchObject({ outcome: 'not_sent', isFinal: false })
    expect(box.received).toHaveLength(1)
  })

  it('goes to one address, whatever characters it holds', async () => {
    const box = await mailbox()
    await sendMail(mailTo(box), { ...mail, to: 'a,b@example.com' })
    expect(box.received.flatMap(({ to }) => to)).not.toContain('b@example.com')
  })

  it('with its password goes to another machine only encrypted', async () => {
    const box = await mailbox({ hideSTARTTLS: true })
    const outside = box.url.replace('127.0.0.1', '127.0.0.2')
    const outcome = await sendMail({ smtpUrl: outside, from: 'makola@example.com' }, mail)
    expect(outcome).toMatchObject({ outcome: 'not_sent' })
    expect(box.received).toEqual([])
  })
})

it('the log holds no address and nothing of a message after all of this', () => {
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.join('')).not.toMatch(/PIN 4711|ama@example\.com|0241234567/)
})
