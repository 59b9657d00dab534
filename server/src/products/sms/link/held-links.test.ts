import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sleepToProveAbsence } from '../../../../test/patience.ts'
import { createFreshSettings, readMessages, until, useFreshSmsBenches } from '../sms-bench.fixture.ts'
import { linkLock } from './commit-window.ts'
import { createCourtesySms } from './create-courtesy-sms.ts'
import { useWorkerProcesses } from './worker-processes.fixture.ts'

const bench = useFreshSmsBenches()
const workers = useWorkerProcesses(bench)

const message = 'Your order is ready.'
const messagesOf = (id: string) => readMessages(bench, id)

it('a link is held by one process of several, and another takes it over when the first is killed', async () => {
  const [first, second] = [await workers.start(), await workers.start()]
  await until('one is bound', async () => Number((await bench.smsc('GET', '/smsc/count'))['bound']) === 1)
  // The second one tries every second, without a visible sign.
  await sleepToProveAbsence(1_500)
  // A holder that stalls for some seconds gives the link up. Then no process is bound for a moment, but never are two bound.
  expect(Number((await bench.smsc('GET', '/smsc/count'))['bound'])).toBeLessThan(2)
  const reseller = await bench.makeSmsReseller(10)
  await workers.end(first)
  const { body } = await bench.sendAndWait(reseller, { message, recipients: [bench.freshNumber()] })
  expect(body.data).toMatchObject({ sent: 1, status: 'completed' })
  await workers.end(second, 'SIGTERM')
})

it('a link lets go at once when the connection that holds its lock is lost, and comes back', async () => {
  await bench.startWorker()
  const { ownerDb } = bench.app.database
  const holders = sql<{ pid: number }>`
    select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = ${linkLock('smsc')}`
  const [holder] = (await holders.execute(ownerDb)).rows
  expect(holder).toBeDefined()
  // Otherwise the link would be bound again before the test can check.
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

it('a link that refuses us is followed by the next supplier of the network; without one the message fails and is refunded', async () => {
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

it('a link is left for the next supplier while it is down: nothing was sent on it', async () => {
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
