import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import {
  concludeNow,
  createFreshSettings,
  expireDeadlines,
  readCampaignRow,
  readMessages,
  useFreshSmsBenches,
} from '../sms-bench.fixture.ts'
import { cancelCampaign } from './cancel-campaign.ts'
import { type ClaimedMessage, claimMessages } from './claim-messages.ts'
import { commitWindow } from './commit-window.ts'
import { openLinkWriter } from './link-writer.ts'
import { takeOverClaims } from './take-over-claims.ts'

const bench = useFreshSmsBenches()

const resubmitting = { isResubmitting: true, receiptDays: 7 }
const nobodyAnswered: SmsAnswer = { meaning: 'unknown', evidence: 'no answer', messageIds: [] }
const refusedUs: SmsAnswer = { meaning: 'refused_us', evidence: 'no credit', messageIds: [] }
const notSent: SmsAnswer = { meaning: 'not_sent', evidence: 'link down', messageIds: [] }

it('a text that waits again although it may have arrived is charged, however its campaign ends', async () => {
  const { db } = bench.app.database
  const reseller = await bench.makeSmsReseller(100)
  const send = async () => {
    const { body } = await bench.send(reseller, { message: 'Your order is ready.', recipients: [bench.freshNumber()] })
    return body.data.campaignId as string
  }
  const sent = await Promise.all(Array.from({ length: 5 }, send))
  // They are claimed in the order of their ids.
  const [cancelled, overdue, refused, crashed, untried] = sent.toSorted() as [string, string, string, string, string]
  await expandCampaigns(db)

  const holder = await takeOverClaims(db, 'smsc', resubmitting)
  const claim = (limit: number) =>
    claimMessages(db, holder, { MTN: [] }, { limit, isBulkToo: true, deadlineHours: 24 }, new Map())
  const deps = { db, settings: createFreshSettings(db), log: pino({ level: 'silent' }) }
  const writer = openLinkWriter(deps, { name: 'smsc', resubmitsUnanswered: true })
  const answer = async (messages: readonly ClaimedMessage[], said: SmsAnswer) => {
    void writer.addAnswers(
      undefined,
      messages.map((message) => ({ message, answer: said, isLate: false, hasOtherSupplier: false })),
    )
    await writer.drained()
  }

  const first = await claim(4)
  expect(first.map(({ campaignId }) => campaignId)).toEqual([cancelled, overdue, refused, crashed])
  await answer(first.slice(0, 3), nobodyAnswered)
  // The process dies while the fourth is in flight.
  await commitWindow(db, holder, first.slice(3), [])
  const next = await takeOverClaims(db, 'smsc', resubmitting)
  expect(next.token).not.toBe(holder.token)

  // A second try that certainly was not sent proves nothing about the first.
  const again = await claimMessages(db, next, { MTN: [] }, { limit: 3, isBulkToo: true, deadlineHours: 24 }, new Map())
  await answer(again.slice(0, 2), notSent)
  await answer(again.slice(2), refusedUs)
  for (const campaignId of [cancelled, crashed, untried])
    await cancelCampaign(db, { accountId: reseller.accountId, campaignId, actor: 'test' })
  await expireDeadlines(bench, overdue)
  await concludeNow(bench)

  for (const id of [cancelled, overdue, refused, crashed]) {
    expect(await readMessages(bench, id)).toMatchObject([{ submit: 'answered', status: 'sent' }])
    expect(await readCampaignRow(bench, id)).toMatchObject({ credits_charged: 1, credits_refunded: 0 })
  }
  expect(await readMessages(bench, untried)).toMatchObject([{ submit: 'answered', status: 'failed' }])
  expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(100 - 4)
})
