import { describe, expect, it } from 'vitest'
import { type SmsReseller, until, useSmsBench } from '../sms-bench.fixture.ts'

const bench = useSmsBench()

const fresh = (ending?: string) => bench.freshNumber(ending)
const message = 'Your order is ready.'
const creditsOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data.credits as number
const deliveryOf = async (reseller: SmsReseller, id: string) =>
  (await bench.get(reseller, `/sms/messages/${id}`)).body.data.delivery

describe('delivery', () => {
  it('reports arrive asynchronously: delivered, undelivered, expired, and an awkward one', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = [fresh(), fresh('922'), fresh('923'), fresh('924'), fresh('921')]
    const { body } = await bench.sendAndWait(reseller, { message, recipients })
    const id = body.data.campaignId as string
    await until('all are reported', async () => !('sent' in (await deliveryOf(reseller, id))))
    const { data } = (await bench.get(reseller, `/sms/messages/${id}`)).body
    expect(data.messages.map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'undelivered',
      'expired',
      'delivered',
      'failed',
    ])
    expect(data.delivery).toEqual({ delivered: 2, undelivered: 1, expired: 1, failed: 1 })
    expect(data.campaign).toMatchObject({ id, sender_used: 'Makola', credits_charged: 5, status: 'completed' })
    expect(await creditsOf(reseller)).toBe(996)
  })

  it.each([
    ['decimal ids in receipts', { receiptIds: 'decimal' }],
    ['TLVs only', { receiptForm: 'tlv' }],
    ['both', { receiptIds: 'decimal', receiptForm: 'tlv' }],
  ])('is matched with %s, and a text of several parts is delivered when all parts are', async (_what, behaviour) => {
    await bench.smsc('POST', '/control/smsc', behaviour)
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.sendAndWait(reseller, { message: 'long '.repeat(80), recipients: [fresh(), fresh('922')] })
    const id = body.data.campaignId as string
    await until('both are reported', async () => !('sent' in (await deliveryOf(reseller, id))))
    expect(await deliveryOf(reseller, id)).toEqual({ delivered: 1, undelivered: 1 })
  })

  it('a receipt that ends a message of one segment stands in its row alone; one that says nothing new is stored', async () => {
    const reseller = await bench.makeSmsReseller()
    const [plain, awkward] = [fresh('922'), fresh('924')]
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [plain, awkward] })
    const id = body.data.campaignId as string
    const storedOf = (recipient: string) =>
      bench.app.database.db
        .selectFrom('sms_receipts')
        .select(['state', 'matched_at'])
        .where('recipient_tail', '=', recipient.slice(-9))
        .orderBy('received_at')
        .execute()
    // Two receipts for its end, followed by one that is not final.
    await until('the last one is in', async () => (await storedOf(awkward)).some(({ state }) => state === 'underway'))
    await until('both are reported', async () => !('sent' in (await deliveryOf(reseller, id))))
    expect(await deliveryOf(reseller, id)).toEqual({ undelivered: 1, delivered: 1 })
    expect((await storedOf(awkward)).slice(-2)).toEqual([
      { state: 'delivered', matched_at: expect.any(Date) },
      { state: 'underway', matched_at: expect.any(Date) },
    ])
    expect(await storedOf(plain)).toEqual([])
  })

  it('the operator’s throttling and full queues slow a send down but lose nothing', async () => {
    await bench.smsc('POST', '/control/smsc', { perSecond: 30, fullQueues: 3 })
    const reseller = await bench.makeSmsReseller()
    const recipients = Array.from({ length: 60 }, () => fresh())
    const { body } = await bench.sendAndWait(reseller, { message, recipients })
    expect(body.data).toMatchObject({ sent: 60, failed: 0, status: 'completed' })
  })
})
