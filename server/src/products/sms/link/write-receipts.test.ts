import { expect, it } from 'vitest'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { SmsReceipt } from '../../../suppliers/sms-ports.ts'
import { readMessages, until, useSmsBench } from '../sms-bench.fixture.ts'
import type { SentLately } from './sent-lately.ts'
import { writeReceipts } from './write-receipts.ts'

const bench = useSmsBench()

/** Sends texts to which no receipt comes. @returns the campaign, its recipients, and the supplier's id of each text */
async function sendTexts(count: number) {
  await bench.smsc('POST', '/control/smsc', { sendsReceipts: false })
  const recipients = Array.from({ length: count }, () => bench.freshNumber())
  const { body } = await bench.sendAndWait(await bench.makeSmsReseller(), { message: 'Your order is ready.', recipients })
  const campaignId = body.data.campaignId as string
  const parts = await bench.app.database.db
    .selectFrom('sms_parts')
    .select('message_key')
    .where('campaign_id', '=', campaignId)
    .orderBy('n')
    .execute()
  return { campaignId, recipients, ids: parts.map(({ message_key }) => message_key) }
}

const statusesOf = async (id: string) => (await readMessages(bench, id)).map(({ status }) => status)

/** Receipts that are stored because they ended no message. */
const storedOf = (recipients: readonly string[]) =>
  bench.app.database.db
    .selectFrom('sms_receipts')
    .select(['state', 'matched_at'])
    .where(
      'recipient_tail',
      'in',
      recipients.map((recipient) => recipient.slice(-9)),
    )
    .execute()

it('a receipt that a link remembers ends its message as one that is looked for, and is stored if the message has ended', async () => {
  const { campaignId, recipients, ids } = await sendTexts(3)
  const receipts = ([0, 1, 2] as const).map((n) => {
    return { messageId: ids[n] ?? '', recipient: recipients[n], state: 'delivered' } satisfies SmsReceipt
  })
  // The first is remembered, the second must be searched, and the third comes twice.
  const remembered = new Map([
    [ids[0], 1],
    [ids[2], 3],
  ])
  const sentLately: SentLately = {
    add: () => undefined,
    take: ({ messageId }) => {
      const n = remembered.get(messageId)
      return n === undefined ? undefined : { campaignId, n }
    },
  }
  const { db } = bench.app.database
  const write = (came: readonly SmsReceipt[]) => inTransaction(db, (tx) => writeReceipts(tx, 'smsc', came, 7, [], sentLately))
  await write(receipts)
  expect(await statusesOf(campaignId)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(await storedOf(recipients)).toEqual([])
  await write([{ ...receipts[2], state: 'undelivered' } as SmsReceipt])
  expect(await statusesOf(campaignId)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(await storedOf(recipients)).toEqual([{ state: 'undelivered', matched_at: expect.any(Date) }])
})

it('a receipt that comes some seconds after its text ends the message without a look for its segment', async () => {
  const { db } = bench.app.database
  await bench.smsc('POST', '/control/smsc', { sendsReceipts: true, deliveryMilliseconds: 1_500 })
  const recipients = [bench.freshNumber(), bench.freshNumber('922')]
  const { body } = await bench.sendAndWait(await bench.makeSmsReseller(), { message: 'Your order is ready.', recipients })
  const campaignId = body.data.campaignId as string
  // Without its segment, only the link's memory finds a message.
  await db.deleteFrom('sms_parts').where('campaign_id', '=', campaignId).execute()
  await until('both are reported', async () => !(await statusesOf(campaignId)).includes('sent'))
  expect(await statusesOf(campaignId)).toEqual(['delivered', 'undelivered'])
})
