import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { sleepToProveAbsence } from '../../../../test/patience.ts'
import { listResellerNotices } from '../../../notices/list-reseller-notices.ts'
import { closeIntake, openIntake } from '../../../orders/intake/place-orders.ts'
import { sendCampaign } from '../campaigns/send-campaign.ts'
import { settleCampaigns } from '../campaigns/settle-campaigns.ts'
import { smsKind } from '../sms.kind.ts'
import {
  concludeNow,
  createFreshSettings,
  expireDeadlines,
  readCampaignRow,
  readMessages,
  until,
  useFreshSmsBenches,
} from '../sms-bench.fixture.ts'
import { createCourtesySms } from './create-courtesy-sms.ts'
import { linkLock } from './keep-window.ts'

const bench = useFreshSmsBenches()
const processes = new Set<ChildProcess>()

afterEach(() => {
  for (const child of processes) child.kill('SIGKILL')
  processes.clear()
})

const message = 'Your order is ready.'
const commandLine = fileURLToPath(new URL('../../../../bin/makola.js', import.meta.url))
const secretsKey = randomBytes(32).toString('base64')
const numbersOf = (count: number) => Array.from({ length: count }, (_, n) => `0${241_000_000 + n * 1_000}`)

/** A worker in a process of its own, to be killed. */
async function spawnWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [commandLine, 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: bench.app.database.applicationUrl,
      DATA_DIR: bench.simulator.dataDir,
      SECRETS_KEY: secretsKey,
      LOG_LEVEL: 'silent',
    },
  })
  processes.add(child)
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  processes.delete(child)
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

const submits = async () => Number((await bench.smsc('GET', '/smsc/count'))['submits'])
const repeats = async () => (await bench.smsc('GET', '/smsc/repeats'))['repeats'] as Record<string, number>

const campaignOf = (id: string) => readCampaignRow(bench, id)
const messagesOf = (id: string) => readMessages(bench, id)

/** How many messages are neither answered nor given up. */
async function countWaiting(id: string): Promise<number> {
  const { count } = await bench.app.database.db
    .selectFrom('sms_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('campaign_id', '=', id)
    .where('submit', 'not in', ['answered', 'unanswered'])
    .executeTakeFirstOrThrow()
  return count
}

describe('more than 500 recipients', () => {
  it('are answered at once as queued, with credits debited and nothing sent or failed yet', async () => {
    const reseller = await bench.makeSmsReseller(20_000)
    const { body } = await bench.send(reseller, { message, recipients: numbersOf(501) })
    expect(body.data).toMatchObject({
      status: 'queued',
      sent: 0,
      failed: 0,
      recipients: 501,
      creditsCharged: 501,
      balance: 19_499,
    })
    const { data } = (await bench.get(reseller, `/sms/messages/${body.data.campaignId}?page=5`)).body
    expect(data).toMatchObject({ delivery: { queued: 501 }, campaign: { status: 'queued' } })
    expect(data.messages).toHaveLength(1)
  })

  it('the 500 counts unique numbers', async () => {
    await bench.startWorker()
    const reseller = await bench.makeSmsReseller(20_000)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [...numbersOf(300), ...numbersOf(300)] })
    expect(body.data).toMatchObject({ status: 'completed', recipients: 300, sent: 300 })
  })

  it('10,000 go on where a killed worker was: nobody gets the text twice, and the audit is clean', async () => {
    const reseller = await bench.makeSmsReseller(20_000)
    const first = await spawnWorker()
    const { body } = await bench.send(reseller, { message, recipients: numbersOf(10_000) })
    const id = body.data.campaignId as string
    await until('some are sent', async () => (await submits()) > 2_000)
    await kill(first)
    const atKill = await submits()
    expect(atKill).toBeLessThan(10_000)
    expect(await bench.audit()).toEqual([])

    const second = await spawnWorker()
    const delivery = async () => (await bench.get(reseller, `/sms/messages/${id}`)).body.data.delivery as Record<string, number>
    await until('nothing waits', async () => (await countWaiting(id)) === 0)
    await until('reports are in', async () => !('sent' in (await delivery())))
    const unknown = (await delivery())['queued'] ?? 0
    expect(unknown).toBeLessThanOrEqual(50)
    expect(await repeats()).toEqual({})
    // Every message that was answered was sent once, and of the unknown ones some may have been.
    const taken = await submits()
    expect(taken).toBeGreaterThanOrEqual(10_000 - unknown)
    expect(taken).toBeLessThanOrEqual(10_000)
    expect((await campaignOf(id)).status).toBe(unknown === 0 ? 'completed' : 'processing')
    await kill(second, 'SIGTERM')
    expect(await bench.audit()).toEqual([])

    await expireDeadlines(bench, id)
    await concludeNow(bench)
    expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 0, open_count: 0 })
  }, 240_000)
})

describe('an unanswered submit', () => {
  it('stays queued, is neither re-sent nor refunded, keeps the campaign unsettled until its deadline, and then counts as charged', async () => {
    await bench.smsc('POST', '/control/smsc', { lostAnswers: 1 })
    await bench.startWorker()
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.send(reseller, {
      message,
      recipients: [bench.freshNumber(), bench.freshNumber(), bench.freshNumber('921')],
    })
    expect(body.data).toMatchObject({ status: 'processing', sent: 1, failed: 1, balance: 7 })
    const id = body.data.campaignId as string
    expect((await messagesOf(id)).map(({ submit }) => submit).toSorted()).toEqual(['answered', 'answered', 'unanswered'])
    await concludeNow(bench)
    const alarms = await bench.app.database.db
      .selectFrom('alarms')
      .select('subject')
      .where('name', '=', 'sms_unanswered')
      .execute()
    expect(alarms).toEqual([{ subject: 'smsc' }])
    expect((await campaignOf(id)).status).toBe('processing')
    expect(await submits()).toBe(2)

    await expireDeadlines(bench, id)
    await concludeNow(bench)
    expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_charged: 3, credits_refunded: 1 })
    expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(8)
    expect(await submits()).toBe(2)
    expect(await repeats()).toEqual({})
  })

  it('lets the reseller be told of the credits that come back, when it has kept a campaign open for more than a day', async () => {
    await bench.smsc('POST', '/control/smsc', { lostAnswers: 1 })
    await bench.startWorker()
    const reseller = await bench.makeSmsReseller(10)
    const recipients = [bench.freshNumber(), bench.freshNumber('921')]
    const { body } = await bench.send(reseller, { message, recipients })
    const id = body.data.campaignId as string
    const { db, ownerDb } = bench.app.database
    await sql`update orders set created_at = now() - interval '25 hours' where id = ${id}`.execute(ownerDb)
    await expireDeadlines(bench, id)
    await concludeNow(bench)
    expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 1 })
    expect(await listResellerNotices(db, { accountId: reseller.accountId, limit: 10 })).toMatchObject([
      { kind: 'order_refunded', about: id, body: expect.stringContaining('1 SMS credit went back to your SMS credits') },
    ])
  })

  it('is what a connection cut in the middle of a send leaves, and nothing is sent twice', async () => {
    // At each cut the SMSC holds back some answers, however slow the machine is.
    await bench.smsc('POST', '/control/smsc', { answerMilliseconds: 3_000 })
    await bench.startWorker()
    const reseller = await bench.makeSmsReseller(2_000)
    const sending = bench.send(reseller, { message, recipients: numbersOf(200) })
    for (let cuts = 0; cuts < 3; cuts += 1) {
      const before = await submits()
      await until('texts are in flight', async () => (await submits()) > before)
      await bench.smsc('POST', '/control/smsc/cut', {})
    }
    await bench.smsc('DELETE', '/control/smsc')
    const id = (await sending).body.data.campaignId as string
    await until('nothing waits', async () => (await countWaiting(id)) === 0)
    expect(await repeats()).toEqual({})
    expect((await messagesOf(id)).some(({ submit }) => submit === 'unanswered')).toBe(true)
  })

  it('that was never handed over fails at the deadline and is refunded', async () => {
    const worker = await bench.startWorker()
    await bench.smsc('POST', '/control/smsc', { fullQueues: 1_000_000 })
    const reseller = await bench.makeSmsReseller(1_000)
    const { body } = await bench.send(reseller, { message, recipients: numbersOf(501) })
    const id = body.data.campaignId as string
    await until('it is taken up', async () => (await campaignOf(id)).status === 'processing')
    await worker.stop()
    expect((await messagesOf(id)).every(({ submit }) => submit === 'waiting')).toBe(true)
    await expireDeadlines(bench, id)
    await concludeNow(bench)
    expect(await campaignOf(id)).toMatchObject({ status: 'failed', credits_refunded: 501 })
    expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(1_000)
  })
})

describe('a campaign', () => {
  it('that no link takes up raises the alarm, and fails at its deadline and is refunded', async () => {
    const reseller = await bench.makeSmsReseller(1_000)
    const id = (await bench.send(reseller, { message, recipients: numbersOf(501) })).body.data.campaignId as string
    await concludeNow(bench)
    const { db, ownerDb } = bench.app.database
    await sql`update sms_messages set created_at = created_at - interval '6 minutes'`.execute(ownerDb)
    await concludeNow(bench)
    const alarms = await db.selectFrom('alarms').select('subject').where('name', '=', 'sms_not_sent').execute()
    expect(alarms).toEqual([{ subject: 'MTN' }])
    await expireDeadlines(bench, id)
    await concludeNow(bench)
    expect(await campaignOf(id)).toMatchObject({ status: 'failed', credits_refunded: 501 })
    expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(1_000)
  })

  it('settles and refunds exactly once, however many settle it', async () => {
    const worker = await bench.startWorker()
    const reseller = await bench.makeSmsReseller(1_000)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber('921'), bench.freshNumber()] })
    const id = body.data.campaignId as string
    await worker.stop()
    const { ownerDb, db } = bench.app.database
    // Back to the moment before it settled.
    await sql`alter table transfers disable trigger transfers_are_append_only`.execute(ownerDb)
    await sql`alter table order_events disable trigger order_events_are_append_only`.execute(ownerDb)
    await sql`delete from transfers where cause_id = ${id} and kind = 'sms_refund'`.execute(ownerDb)
    await sql`delete from order_events where order_id = ${id} and to_status = 'completed'`.execute(ownerDb)
    await sql`update wallets set balance = balance - 1, last_entry_no = last_entry_no - 1
      where account_id = ${reseller.accountId} and purse = 'sms_credits'`.execute(ownerDb)
    await sql`update orders set status = 'processing' where id = ${id}`.execute(ownerDb)
    await sql`update sms_campaigns set status = 'processing', settled_at = null, credits_refunded = 0 where id = ${id}`.execute(
      ownerDb,
    )
    await sql`insert into open_orders (order_id, route, next_step_at) values (${id}, 'loop/sms', 'infinity')`.execute(ownerDb)
    await sql`alter table transfers enable trigger transfers_are_append_only`.execute(ownerDb)
    await sql`alter table order_events enable trigger order_events_are_append_only`.execute(ownerDb)

    await Promise.all(Array.from({ length: 64 }, () => settleCampaigns(db)))
    expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 1 })
    expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(999)
  })

  it('of one text overtakes one of thousands', async () => {
    await bench.smsc('POST', '/control/smsc', { perSecond: 100 })
    await bench.startWorker()
    const reseller = await bench.makeSmsReseller(5_000)
    const bulk = (await bench.send(reseller, { message, recipients: numbersOf(3_000) })).body.data.campaignId as string
    await until('the many are under way', async () => (await submits()) > 20)
    const { body } = await bench.sendAndWait(reseller, { message: 'Your code is 1234', recipients: [bench.freshNumber()] })
    expect(body.data).toMatchObject({ status: 'completed', sent: 1 })
    expect((await campaignOf(bulk)).status).toBe('processing')
  })

  it('that is scheduled is debited now and sent when its time has come', async () => {
    await bench.startWorker()
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber('921')] })
    expect(body.data.status).toBe('failed')
    const { db, applicationUrl } = bench.app.database
    const intake = openIntake({
      database: { url: applicationUrl },
      kinds: [smsKind],
      log: pino({ level: 'silent' }),
    })
    const recipient = bench.freshNumber()
    const { campaignId } = await sendCampaign(
      {
        db,
        intake,
        settings: createFreshSettings(db),
        routes: { list: () => [{ product: 'sms' } as never] },
        campaigns: { settled: () => Promise.reject(new Error('a scheduled campaign is not waited for')) },
      },
      {
        accountId: reseller.accountId,
        source: 'dashboard',
        message,
        recipients: recipient,
        scheduledAt: new Date(Date.now() + 3_600_000),
      },
    )
    await closeIntake(intake)
    expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(9)
    // A campaign that was placed later is sent before it.
    await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber()] })
    expect((await campaignOf(campaignId)).status).toBe('queued')
    await sql`update sms_campaigns set scheduled_at = now() where id = ${campaignId}`.execute(bench.app.database.ownerDb)
    await until('it is sent', async () => (await campaignOf(campaignId)).status === 'completed')
    const { campaigns } = (await bench.get(reseller, '/sms/campaigns')).body.data
    expect(campaigns[1]).toMatchObject({ id: campaignId, source: 'dashboard', scheduled_at: expect.stringMatching(/Z$/) })
  })
})

describe('a link', () => {
  it('is held by one process of several, and another takes it over when the first is killed', async () => {
    const [first, second] = [await spawnWorker(), await spawnWorker()]
    await until('one is bound', async () => Number((await bench.smsc('GET', '/smsc/count'))['bound']) === 1)
    // The second one tries every second; nothing tells that it has.
    await sleepToProveAbsence(1_500)
    expect((await bench.smsc('GET', '/smsc/count'))['bound']).toBe(1)
    const reseller = await bench.makeSmsReseller(10)
    await kill(first)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber()] })
    expect(body.data).toMatchObject({ sent: 1, status: 'completed' })
    await kill(second, 'SIGTERM')
  })

  it('lets go at once when the connection that holds its lock is lost, and comes back', async () => {
    await bench.startWorker()
    const { ownerDb } = bench.app.database
    const holders = sql<{ pid: number }>`
      select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) | objid::bigint = ${linkLock('smsc')}`
    const [holder] = (await holders.execute(ownerDb)).rows
    expect(holder).toBeDefined()
    // Otherwise the link would be bound again before the test can look.
    await bench.smsc('POST', '/control/smsc', { refusesBinds: true })
    await sql`select pg_terminate_backend(${holder?.pid ?? 0}::integer)`.execute(ownerDb)
    await until('it unbinds', async () => Number((await bench.smsc('GET', '/smsc/count'))['bound']) === 0)
    await bench.smsc('DELETE', '/control/smsc')
    await until('it binds again', async () => Number((await bench.smsc('GET', '/smsc/count'))['bound']) === 1)
    const reseller = await bench.makeSmsReseller(10)
    expect((await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber()] })).body.data).toMatchObject({
      sent: 1,
    })
  })

  it('that refuses us is followed by the next supplier of the network; without one the message fails and is refunded', async () => {
    const { db } = bench.app.database
    await db.insertInto('suppliers').values({ name: 'second', adapter: 'smpp', settings: '{}', slots: 10 }).execute()
    await db.insertInto('routes').values({ supplier: 'second', product: 'sms', network: 'any', priority: 90 }).execute()
    await sql`update cache_epoch set epoch = epoch + 1, catalogue_version = catalogue_version + 1`.execute(db)
    await bench.startWorker()
    const standing = () => db.selectFrom('sms_links').select('supplier').where('state', '=', 'bound').execute()
    await until('both links are known to stand', async () => (await standing()).length === 2)
    // Each link believed that it was the first, and keeps its plan for half a second.
    await sleep(600)
    await bench.smsc('POST', '/control/smsc', { refuseWith: 0x0a })
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber()] })
    expect(body.data).toMatchObject({ status: 'failed', failed: 1, balance: 10 })
    const [refused] = await messagesOf(body.data.campaignId as string)
    expect(refused).toMatchObject({ refused_by: ['smsc', 'second'], supplier: 'second' })
  })

  it('is left for the next supplier while it is down: nothing was sent on it', async () => {
    const { db } = bench.app.database
    await db
      .updateTable('routes')
      .set({ state: 'paused', paused_reason: 'operator: test' })
      .where('supplier', '=', 'smsc')
      .execute()
    await db.insertInto('suppliers').values({ name: 'second', adapter: 'smpp', settings: '{}', slots: 10 }).execute()
    await db.insertInto('routes').values({ supplier: 'second', product: 'sms', network: 'any', priority: 90 }).execute()
    await sql`update cache_epoch set epoch = epoch + 1, catalogue_version = catalogue_version + 1`.execute(db)
    await bench.startWorker()
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber()] })
    expect(body.data).toMatchObject({ status: 'completed', sent: 1 })
    expect((await messagesOf(body.data.campaignId as string))[0]).toMatchObject({ supplier: 'second' })
  })
})

it('a courtesy message leaves over the same link, from the platform’s own sender', async () => {
  await bench.startWorker()
  const { db } = bench.app.database
  const sent: unknown[] = []
  const port = createCourtesySms(
    { db, settings: createFreshSettings(db) },
    {
      isBound: () => true,
      wake: () => undefined,
      submit: async (sms) => {
        sent.push(sms)
        return { meaning: 'accepted', evidence: '', messageIds: ['1'] }
      },
    },
  )
  expect(await port.sendSms({ to: '0241234567', text: 'Your voucher' })).toEqual({ outcome: 'sent' })
  expect(sent).toMatchObject([{ sender: 'Makola', recipient: '233241234567', text: { encoding: 'gsm7' } }])
  expect(await port.sendSms({ to: '+44123', text: 'Your voucher' })).toMatchObject({ outcome: 'not_sent', isFinal: true })
})
