import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import {
  concludeNow,
  createFreshSettings,
  expireDeadlines,
  readCampaignRow,
  readMessages,
  until,
  useFreshSmsBenches,
} from '../sms-bench.fixture.ts'
import { type CampaignTexts, type ClaimedMessage, claimMessages } from './claim-messages.ts'
import { openLinkWriter } from './link-writer.ts'
import { takeOverClaims } from './take-over-claims.ts'
import { writeAnswers } from './write-answers.ts'

/*
 * At the simulator a submit is unanswered after 2 s. Every answer of these tests is late: it comes when the test lets it go.
 */

const bench = useFreshSmsBenches()

const message = 'Your order is ready.'

const messagesOf = (id: string) => readMessages(bench, id)
const campaignOf = (id: string) => readCampaignRow(bench, id)
const hold = () => bench.smsc('POST', '/control/smsc', { holdsAnswers: true })
const letGo = () => bench.smsc('POST', '/control/smsc', { holdsAnswers: false })

async function onlyCampaign(): Promise<string> {
  let id: string | undefined
  await until('the campaign is there', async () => {
    const row = await bench.app.database.db.selectFrom('sms_campaigns').select('id').executeTakeFirst()
    id = row?.id
    return id !== undefined
  })
  return id as string
}

async function unanswered(id: string): Promise<number> {
  return (await messagesOf(id)).filter(({ submit }) => submit === 'unanswered').length
}

it('an answer after its time-out ends the wait for the deadline: sent, delivered, or refused and refunded', async () => {
  await hold()
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(10)
  const recipients = [bench.freshNumber(), bench.freshNumber(), bench.freshNumber('921')]
  const sending = bench.sendAndWait(reseller, { message, recipients })
  const id = await onlyCampaign()
  await until('nobody knows', async () => (await unanswered(id)) === 3)
  await letGo()
  const { body } = await sending
  expect(body.data).toMatchObject({ status: 'completed', sent: 2, failed: 1, balance: 8 })
  expect(await unanswered(id)).toBe(0)
  await until('reports are in', async () => (await messagesOf(id)).filter(({ status }) => status === 'delivered').length === 2)
})

it('after the deadline a late answer moves nothing back: charged stays charged, and only its receipt is still heard', async () => {
  await hold()
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(10)
  const sending = bench.send(reseller, { message, recipients: [bench.freshNumber(), bench.freshNumber('921')] })
  const id = await onlyCampaign()
  await until('nobody knows', async () => (await unanswered(id)) === 2)
  await expireDeadlines(bench, id)
  await concludeNow(bench)
  expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 0 })
  expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['sent', 'sent'])
  await sending
  await letGo()
  await until('the receipt of the late answer is in', async () => (await messagesOf(id))[0]?.status === 'delivered')
  expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['delivered', 'sent'])
  expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 0 })
  expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(8)
})

it('late answers that race the conclusion at the deadline count every message once', async () => {
  await hold()
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(100)
  const recipients = Array.from({ length: 40 }, (_, n) => bench.freshNumber(n % 2 === 0 ? '921' : '000'))
  const sending = bench.send(reseller, { message, recipients })
  const id = await onlyCampaign()
  await until('nobody knows of any', async () => (await unanswered(id)) === recipients.length)
  await sql`update sms_campaigns set expanded_at = now() - interval '25 hours' where id = ${id}`.execute(
    bench.app.database.ownerDb,
  )
  /** Some deadlines pass, one after the other. */
  const concludeSome = async () => {
    for (let n = 0; n < 10; n += 1) {
      await sql`
        update sms_messages set claimed_at = now() - interval '25 hours' where campaign_id = ${id} and n in (
          select n from sms_messages where campaign_id = ${id} and submit = 'unanswered' order by random() limit 1)`.execute(
        bench.app.database.ownerDb,
      )
      await concludeNow(bench)
    }
  }
  await concludeSome()
  await Promise.all([letGo(), concludeSome()])
  await until('the campaign has settled', async () => (await campaignOf(id)).status !== 'processing')
  await sending
  const messages = await messagesOf(id)
  const failed = messages.filter(({ status }) => status === 'failed').length
  expect(messages.every(({ submit }) => submit === 'answered')).toBe(true)
  // Some messages of each kind: concluded at the deadline, and answered before it.
  expect(messages.some(({ reason }) => reason === 'no answer until the deadline')).toBe(true)
  expect(failed).toBeGreaterThan(0)
  expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(100 - 40 + failed)
})

it('a time-out and the late answer to it, told at once, are written one after the other', async () => {
  const { db } = bench.app.database
  const reseller = await bench.makeSmsReseller(501)
  const recipients = Array.from({ length: 501 }, () => bench.freshNumber())
  const { body } = await bench.send(reseller, { message, recipients })
  await expandCampaigns(db)
  const holder = await takeOverClaims(db, 'smsc', { isResubmitting: false, receiptDays: 7 })
  const claimed = await claimMessages(db, holder, { MTN: [] }, { limit: 40, isBulkToo: true, deadlineHours: 24 }, new Map())
  expect(claimed).toHaveLength(40)

  const deps = { db, settings: createFreshSettings(db), log: pino({ level: 'silent' }) }
  const writer = openLinkWriter(deps, { name: 'smsc', resubmitsUnanswered: false })
  const add = (message: ClaimedMessage, answer: SmsAnswer, isLate: boolean) =>
    void writer.addAnswers(undefined, [{ message, answer, isLate, hasOtherSupplier: false }])
  for (const message of claimed) add(message, { meaning: 'unknown', evidence: 'no answer', messageIds: [] }, false)
  for (const [n, message] of claimed.entries())
    add(message, { meaning: 'accepted', evidence: 'taken', messageIds: [`${n}`] }, true)
  await writer.drained()

  const answered = (await messagesOf(body.data.campaignId)).filter(({ submit }) => submit === 'answered')
  expect(answered.map(({ status, reason }) => ({ status, reason }))).toEqual(
    claimed.map(() => ({ status: 'sent', reason: null })),
  )
  // The claim ends once, with the answers in time.
  expect(await sql`select from sms_claims`.execute(db)).toMatchObject({ rows: [] })
})

it('answers are written once although a campaign cannot be settled, and written again they change nothing more', async () => {
  const { db, ownerDb } = bench.app.database
  const reseller = await bench.makeSmsReseller(100)
  // Nothing sends these campaigns yet, so each call waits its 8.5 s for results. Both wait at the same time.
  const send = () => bench.send(reseller, { message, recipients: [bench.freshNumber()] })
  await Promise.all([send(), send()])
  await expandCampaigns(db)
  const holder = await takeOverClaims(db, 'smsc', { isResubmitting: false, receiptDays: 7 })
  const texts: CampaignTexts = new Map()
  const claim = (limit: number) => claimMessages(db, holder, { MTN: [] }, { limit, isBulkToo: true, deadlineHours: 24 }, texts)
  const [first] = await claim(1)
  const [second] = await claim(1)
  if (!first || !second) throw new Error('a message was not claimed')
  const { campaignId: accepted } = first
  const { campaignId: refused } = second
  await sql`alter table sms_campaigns add constraint none_is_settled check (settled_at is null) not valid`.execute(ownerDb)
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const writer = openLinkWriter({ db, settings: createFreshSettings(db), log }, { name: 'smsc', resubmitsUnanswered: false })
  const refusal = { message: second, isLate: false, hasOtherSupplier: true } as const
  const said: SmsAnswer = { meaning: 'refused_us', evidence: 'no credit', messageIds: [] }
  void writer.addAnswers(undefined, [
    {
      message: first,
      answer: { meaning: 'accepted', evidence: 'taken', messageIds: ['1'] },
      isLate: false,
      hasOtherSupplier: false,
    },
    { ...refusal, answer: said },
  ])
  await writer.drained()
  expect(warnings).toEqual([])
  await inTransaction(db, (tx) => writeAnswers(tx, 'smsc', [{ ...refusal, answer: said }], false))
  expect(await messagesOf(refused)).toMatchObject([{ submit: 'waiting', refused_by: ['smsc'] }])
  expect(await campaignOf(accepted)).toMatchObject({ status: 'processing', open_count: 0 })
  await sql`alter table sms_campaigns drop constraint none_is_settled`.execute(ownerDb)
  await concludeNow(bench)
  expect(await campaignOf(accepted)).toMatchObject({ status: 'completed' })
})
