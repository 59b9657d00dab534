import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../../../../test/make-account.ts'
import { createTestDatabase, type TestDatabase, withEmptyDatabase } from '../../../../test/test-database.ts'
import { readConfig } from '../../../config.ts'
import { alertEmail, alertWebhookUrl } from '../../../notices/notices.settings.ts'
import { ensureLocalCertificate } from '../../../platform/http/listener/local-certificate-authority.ts'
import { createPartitions } from '../../../platform/partitions/partitions.ts'
import { writeSetting } from '../../../platform/settings/settings.ts'
import { readOwnNeeds } from '../upgrade/release-needs.ts'
import { examineInstallation } from './examine-installation.ts'
import { describePace, examineVacuum } from './examine-storage.ts'
import { examineDisk } from './examine-surroundings.ts'

let folder: string
let database: TestDatabase
let proxy: Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-doctor-'))
  database = await createTestDatabase()
  const { certFile, keyFile } = await ensureLocalCertificate(folder, ['localhost'])
  const options = { cert: await readFile(certFile), key: await readFile(keyFile) }
  proxy = createServer(options, (_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})
afterAll(async () => {
  proxy.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const secretsKey = randomBytes(32).toString('base64')

/** Doctor's findings on one topic. */
async function examine(topic: string, environment: Record<string, string> = {}) {
  const shared = { DATABASE_URL: database.applicationUrl, DATA_DIR: folder, SECRETS_KEY: secretsKey }
  const findings = await examineInstallation({ ...shared, ...environment })
  return findings.filter((finding) => finding.topic === topic)
}

const portOfProxy = () => (proxy.address() as AddressInfo).port

describe('doctor says', () => {
  test('that nobody gets alarms, and that no mail goes out: a problem where money is real', async () => {
    const message = expect.stringContaining('Nobody gets alarms: set alert_email or alert_webhook_url') as string
    expect(await examine('alerts')).toEqual([{ level: 'warning', topic: 'alerts', message }])
    expect(await examine('alerts', { SUPPLIERS: 'live' })).toEqual([{ level: 'problem', topic: 'alerts', message }])
    expect(await examine('mail')).toMatchObject([{ level: 'warning', message: expect.stringContaining('SMTP_URL is not set') }])
  })

  test('that alarms cannot be mailed without a mail server, and where they go once they can', async () => {
    await writeSetting(database.db, alertEmail, 'owner@example.com', 'ama')
    expect(await examine('alerts')).toMatchObject([
      { level: 'warning', message: expect.stringContaining('alert_email is owner@example.com, but SMTP_URL') },
    ])
    const withMail = { SMTP_URL: 'smtp://127.0.0.1:9' }
    expect(await examine('alerts', withMail)).toMatchObject([
      { level: 'ok', message: expect.stringContaining('Alarms are mailed to owner@example.com.') },
    ])
    expect(await examine('mail', withMail)).toEqual([])
    await writeSetting(database.db, alertEmail, '', 'ama')
    await writeSetting(database.db, alertWebhookUrl, 'https://hooks.example.com/secret', 'ama')
    const [posted] = await examine('alerts')
    expect(posted).toMatchObject({ level: 'ok', message: expect.stringContaining('Alarms are posted to alert_webhook_url.') })
  })

  test('whether the read replica can be used, and nothing where none is named', async () => {
    expect(await examine('read replica')).toEqual([])
    const sessions = `${database.applicationUrl}&options=-c%20default_transaction_read_only%3Don`
    expect(await examine('read replica', { DATABASE_READ_URL: sessions })).toMatchObject([
      { level: 'ok', message: 'It follows the database.' },
      { level: 'warning', message: expect.stringContaining('hot_standby_feedback is off') },
    ])
    expect(await examine('read replica', { DATABASE_READ_URL: database.applicationUrl })).toMatchObject([
      { level: 'warning', message: expect.stringContaining('The database server is no standby: it takes writes.') },
    ])
    const other = await createTestDatabase()
    // All test databases are copies of one and have its id, so this one gets an id of its own.
    await sql`update history_mark set database_id = gen_random_uuid()`.execute(other.ownerDb)
    const ofAnother = `${other.applicationUrl}&options=-c%20default_transaction_read_only%3Don`
    expect(await examine('read replica', { DATABASE_READ_URL: ofAnother })).toMatchObject([{ level: 'problem' }])
    await other.drop()
  })

  test('whose disk it looked at: that of a database elsewhere cannot be seen from here', async () => {
    const seen = `GB are free at ${folder}.`
    const elsewhere = `${seen} The disk of the database at DATABASE_URL must be watched there.`
    expect(await examine('disk space')).toMatchObject([{ message: expect.stringContaining(elsewhere) }])
    const [embedded] = await examineDisk(readConfig({ DATA_DIR: folder }))
    expect(embedded?.message.endsWith(seen)).toBe(true)
  })

  test('which version runs, and which setting with a value it does not read', async () => {
    const { version } = await readOwnNeeds()
    const runs = { level: 'ok', topic: 'version', message: `Makola ${version} on Node ${process.versions.node}.` }
    expect(await examine('version')).toEqual([runs])
    await sql`insert into settings (name, value, updated_by) values ('old_switch', '1', 'test')`.execute(database.ownerDb)
    const message = 'The setting old_switch has a value, and this version does not read it.'
    expect(await examine('version')).toEqual([runs, { level: 'warning', topic: 'version', message }])
    await sql`delete from settings where name = 'old_switch'`.execute(database.ownerDb)
  })

  test('what the missing migrations will do', async () => {
    await withEmptyDatabase(async (url) => {
      expect(await examine('schema', { DATABASE_URL: url })).toEqual([
        { level: 'problem', topic: 'schema', message: expect.stringContaining('Run `makola migrate` first') },
        { level: 'ok', topic: 'schema', message: expect.stringContaining('0001_baseline: in one transaction') },
      ])
    })
  })

  test('that webhooks wait although they may be sent', async () => {
    expect(await examine('webhooks')).toEqual([])
    const { accountId } = await makeAccount(database.db)
    await sql`insert into webhook_endpoints (id, account_id, url, events, secret, next_try_at)
      values (${accountId}, ${accountId}, 'https://shop.example.com/', '{order.failed}', 'sealed', '-infinity')`.execute(
      database.db,
    )
    await sql`insert into webhook_deliveries (endpoint_id, event_no, subject, next_try_at)
      values (${accountId}, 1, 'an order', clock_timestamp() - interval '10 minutes')`.execute(database.db)
    const message = expect.stringContaining('Webhooks of resellers wait for 10 minutes') as string
    expect(await examine('webhooks')).toEqual([{ level: 'problem', topic: 'webhooks', message }])
    await sql`update webhook_endpoints set state = 'paused', pause_reason = 'gone'`.execute(database.db)
    expect(await examine('webhooks')).toMatchObject([
      { level: 'ok', message: 'Endpoints of resellers: 0 answer, 0 fail, 1 are paused.' },
    ])
    await sql`delete from webhook_endpoints`.execute(database.db)
  })

  test('which table has no partition for the next month', async () => {
    expect(await examine('partitions')).toMatchObject([{ level: 'ok' }])
    const { rows } = await sql<{ partition: string }>`
      select 'attempts' || to_char((now() at time zone 'UTC') + interval '1 month', '_YYYY_MM') as partition`.execute(database.db)
    await sql`drop table ${sql.table(rows[0]?.partition ?? '')}`.execute(database.ownerDb)
    const message = expect.stringContaining('No partition for the next month: attempts.') as string
    expect(await examine('partitions')).toEqual([{ level: 'problem', topic: 'partitions', message }])
    await createPartitions(database.db)
    expect(await examine('partitions')).toMatchObject([{ level: 'ok' }])
  })

  test('on which port it asked', async () => {
    expect(await examine('public address', { PUBLIC_URL: 'https://localhost:9', PORT: '9' })).toMatchObject([
      {
        level: 'warning',
        message: expect.stringContaining('does not answer on port 9, as PUBLIC_URL or else HOST and PORT say'),
      },
    ])
    const publicUrl = `https://localhost:${portOfProxy()}`
    // Doctor waits three seconds for an answer. A busy machine may need longer, so the test tries again.
    await expect
      .poll(() => examine('public address', { PUBLIC_URL: publicUrl }))
      .toEqual([{ level: 'ok', topic: 'public address', message: `${publicUrl} answers on port ${portOfProxy()}.` }])
  })

  test('when the certificate ends, of a proxy too, and that it is not trusted', async () => {
    const inDays = /ends on \d{4}-\d{2}-\d{2}, in \d+ days\.$/
    expect(await examine('certificate')).toMatchObject([{ level: 'ok', message: expect.stringMatching(inDays) }])
    const behind = { TLS: 'proxy', TRUSTED_PROXIES: 'loopback', PUBLIC_URL: `https://localhost:${portOfProxy()}` }
    await expect
      .poll(() => examine('certificate', behind))
      .toMatchObject([{ level: 'ok', message: expect.stringMatching(/^The proxy's certificate for localhost ends on /) }])
    await expect
      .poll(() => examine('public address', behind))
      .toMatchObject([{ level: 'warning', message: expect.stringContaining('its certificate is not trusted') }])
    const nowhere = { ...behind, PUBLIC_URL: 'https://localhost:9' }
    expect(await examine('certificate', nowhere)).toMatchObject([
      { level: 'warning', message: expect.stringContaining('it could not be read') },
    ])
  })
})

describe('doctor tells of the growth of the database', () => {
  const gigabyte = 1024 ** 3
  const pace = { bytes: 50 * gigabyte, days: 20, bytesPerDay: gigabyte }

  test('that it is known after two days, and then how much it was', async () => {
    expect(await examine('growth')).toMatchObject([{ level: 'ok', message: expect.stringContaining('after two days') }])
    await sql`
      insert into data_sizes (day, bytes, measured_at)
      select (now() - age)::date, ${50 * gigabyte}::bigint - extract(day from age)::bigint * ${gigabyte}::bigint, now() - age
      from unnest(array[interval '0 days', interval '10 days']) as age`.execute(database.db)
    expect(await examine('growth')).toMatchObject([
      { level: expect.any(String), message: expect.stringContaining('has 50.0 GB, and grew by 10.0 GB in the last 10 days') },
    ])
  })

  test.each([
    [1_000, 'ok', 'full in 1000 days, on'],
    [60, 'warning', 'full in 60 days, on 2027-03-31'],
    [13, 'problem', 'full in 13 days, on 2027-02-12'],
    [100_000, 'ok', 'more than ten years'],
  ])('when the disk is full: %s days of room', (days, level, text) => {
    const finding = describePace(pace, days * gigabyte, Date.parse('2027-01-30T12:00:00Z'))
    expect(finding).toMatchObject({ level, message: expect.stringContaining(text) })
  })

  test('that it cannot see the disk of a server elsewhere', () => {
    expect(describePace(pace, undefined, 0)).toMatchObject({
      level: 'ok',
      message: expect.stringContaining('cannot be seen from here'),
    })
  })

  test('that dead rows are not taken away', async () => {
    expect(await examine('vacuum')).toMatchObject([{ level: 'ok' }])
    await sql`create table left_behind with (autovacuum_enabled = off) as select n from generate_series(1, 60000) as n`.execute(
      database.ownerDb,
    )
    await sql`delete from left_behind`.execute(database.ownerDb)
    await expect
      .poll(() => examineVacuum(database.db), { timeout: 30_000, interval: 500 })
      .toMatchObject([{ level: 'warning', message: expect.stringMatching(/^left_behind has 60000 dead rows, 100 % of all\./) }])
    await sql`drop table left_behind`.execute(database.ownerDb)
  })
})
