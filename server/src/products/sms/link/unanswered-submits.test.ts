import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { listResellerNotices } from '../../../notices/list-reseller-notices.ts'
import {
  concludeNow,
  countSubmits,
  countWaiting,
  expireDeadlines,
  numbersOf,
  readCampaignRow,
  readMessages,
  readRepeats,
  until,
  useFreshSmsBenches,
} from '../sms-bench.fixture.ts'

const bench = useFreshSmsBenches()

const message = 'Your order is ready.'
const submits = () => countSubmits(bench)
const repeats = () => readRepeats(bench)
const campaignOf = (id: string) => readCampaignRow(bench, id)
const messagesOf = (id: string) => readMessages(bench, id)

it('an unanswered submit stays queued, is neither re-sent nor refunded, keeps the campaign unsettled until its deadline, and then counts as charged', async () => {
  await bench.smsc('POST', '/control/smsc', { lostAnswers: 1 })
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(10)
  const { body } = await bench.send(reseller, {
    message,
    recipients: [bench.freshNumber(), bench.freshNumber(), bench.freshNumber('921')],
  })
  expect(body.data).toMatchObject({ status: 'processing', balance: 7 })
  const id = body.data.campaignId as string
  // On a busy machine the answers that come may be late, too.
  const known = ['answered', 'answered: failed', 'unanswered']
  const told = async () =>
    (await messagesOf(id)).map(({ submit, status }) => (status === 'failed' ? `${submit}: ${status}` : submit)).toSorted()
  await until('nobody answered one', async () => (await told()).join() === known.join())
  await concludeNow(bench)
  const alarms = await bench.app.database.db.selectFrom('alarms').select('subject').where('name', '=', 'sms_unanswered').execute()
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

it('an unanswered submit that kept a campaign open for more than a day lets the reseller be told of the credits that come back', async () => {
  await bench.smsc('POST', '/control/smsc', { lostAnswers: 1 })
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(10)
  const recipients = [bench.freshNumber(), bench.freshNumber('921')]
  // The call itself would wait 8.5 s for the answer that never comes.
  const sending = bench.send(reseller, { message, recipients })
  const { db, ownerDb } = bench.app.database
  const told = () =>
    db.selectFrom('sms_messages').select('campaign_id').where('submit', 'in', ['answered', 'unanswered']).execute()
  await until('one is refused and one unanswered', async () => (await told()).length === 2)
  const id = (await told())[0]?.campaign_id ?? ''
  await sql`update orders set created_at = now() - interval '25 hours' where id = ${id}`.execute(ownerDb)
  await expireDeadlines(bench, id)
  await concludeNow(bench)
  expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 1 })
  expect((await sending).body.data.campaignId).toBe(id)
  expect(await listResellerNotices(db, { accountId: reseller.accountId, limit: 10 })).toMatchObject([
    { kind: 'order_refunded', about: id, body: expect.stringContaining('1 SMS credit went back to your SMS credits') },
  ])
})

it('an unanswered submit is what a connection cut in the middle of a send leaves, and nothing is sent twice', async () => {
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
  await until('nothing waits', async () => (await countWaiting(bench, id)) === 0)
  expect(await repeats()).toEqual({})
  expect((await messagesOf(id)).some(({ submit }) => submit === 'unanswered')).toBe(true)
})

it('a message that was never handed over fails at the deadline and is refunded', async () => {
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
