import { expect, it } from 'vitest'
import {
  concludeNow,
  countSubmits,
  countWaiting,
  expireDeadlines,
  numbersOf,
  readCampaignRow,
  readRepeats,
  until,
  useFreshSmsBenches,
} from '../sms-bench.fixture.ts'
import { useWorkerProcesses } from './worker-processes.fixture.ts'

const bench = useFreshSmsBenches()
const workers = useWorkerProcesses(bench)

const message = 'Your order is ready.'
const submits = () => countSubmits(bench)
const repeats = () => readRepeats(bench)
const campaignOf = (id: string) => readCampaignRow(bench, id)

it('a campaign to more than 500 recipients is answered at once as queued, with credits debited and nothing sent or failed yet', async () => {
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

it('a campaign to 500 unique numbers or fewer is waited for, however often each is named', async () => {
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(20_000)
  const { body } = await bench.sendAndWait(reseller, { message, recipients: [...numbersOf(300), ...numbersOf(300)] })
  expect(body.data).toMatchObject({ status: 'completed', recipients: 300, sent: 300 })
})

it('a campaign to 10,000 goes on where a killed worker was: nobody gets the text twice, and the audit is clean', async () => {
  // The campaign lasts long enough for its worker to be killed in the middle, however late a busy machine looks.
  await bench.smsc('POST', '/control/smsc', { answerMilliseconds: 25 })
  const reseller = await bench.makeSmsReseller(20_000)
  const first = await workers.start()
  const { body } = await bench.send(reseller, { message, recipients: numbersOf(10_000) })
  const id = body.data.campaignId as string
  await until('some are sent', async () => (await submits()) > 2_000)
  await workers.end(first)
  const atKill = await submits()
  expect(atKill).toBeLessThan(10_000)
  await bench.smsc('DELETE', '/control/smsc')
  expect(await bench.audit()).toEqual([])

  const second = await workers.start()
  const delivery = async () => (await bench.get(reseller, `/sms/messages/${id}`)).body.data.delivery as Record<string, number>
  await until('nothing waits', async () => (await countWaiting(bench, id)) === 0)
  await until('reports are in', async () => !('sent' in (await delivery())))
  const unknown = (await delivery())['queued'] ?? 0
  expect(unknown).toBeLessThanOrEqual(50)
  expect(await repeats()).toEqual({})
  // Every answered message was sent once, and some of the unknown ones may have been.
  const taken = await submits()
  expect(taken).toBeGreaterThanOrEqual(10_000 - unknown)
  expect(taken).toBeLessThanOrEqual(10_000)
  expect((await campaignOf(id)).status).toBe(unknown === 0 ? 'completed' : 'processing')
  await workers.end(second, 'SIGTERM')
  expect(await bench.audit()).toEqual([])

  await expireDeadlines(bench, id)
  await concludeNow(bench)
  expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 0, open_count: 0 })
})
