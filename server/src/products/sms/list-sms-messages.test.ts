import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeReceipts } from './link/write-receipts.ts'
import { type SmsReseller, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const fresh = (ending?: string) => bench.freshNumber(ending)
const international = (number: string) => `233${number.slice(1)}`
const balanceOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data

describe('GET /sms/messages/{id}', () => {
  it('200: pages exactly 100 rows, counts the whole campaign, and filters by status', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = Array.from({ length: 205 }, (_, n) => `0209${String(n).padStart(3, '0')}${n === 7 ? '921' : '000'}`)
    const id = (await bench.sendAndWait(reseller, { message, recipients })).body.data.campaignId as string
    const page = async (query: string) => (await bench.get(reseller, `/sms/messages/${id}?${query}`)).body.data
    const pages = [await page('page=0'), await page('page=1'), await page('page=2')]
    expect(pages.map(({ messages }) => messages.length)).toEqual([100, 100, 5])
    expect(pages.flatMap(({ messages }) => messages.map(({ recipient }: { recipient: string }) => recipient))).toEqual(
      recipients.map(international),
    )
    expect(Object.values(pages[2].delivery as Record<string, number>).reduce((a, b) => a + b)).toBe(205)
    expect((await page('status=failed')).messages).toMatchObject([
      { recipient: international(recipients[7] ?? ''), status: 'failed' },
    ])
  })

  it('200: shows REJECTD as `rejected` without a refund, DELETED as `undelivered`, and ACCEPTD as `sent`', async () => {
    await bench.smsc('POST', '/control/smsc', { sendsReceipts: false })
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [fresh(), fresh(), fresh()] })
    const id = body.data.campaignId as string
    const { rows: parts } = await sql<{ message_key: string }>`
      select message_key from sms_parts where campaign_id = ${id} order by n`.execute(db)
    const states = ['rejected', 'undelivered', 'underway'] as const
    const receipts = parts.map(({ message_key }, index) => ({
      messageId: message_key,
      recipient: undefined,
      state: states[index] ?? 'underway',
    }))
    await inTransaction(db, (tx) => writeReceipts(tx, 'smsc', receipts, 7, []))
    const read = async (query = '') => (await bench.get(reseller, `/sms/messages/${id}${query}`)).body.data
    const { delivery, messages, campaign } = await read()
    expect(messages.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'undelivered', 'sent'])
    expect([delivery, campaign.status]).toEqual([{ rejected: 1, undelivered: 1, sent: 1 }, 'completed'])
    expect((await balanceOf(reseller)).credits).toBe(7)
    for (const [n, status] of ['rejected', 'undelivered', 'sent'].entries()) {
      const page = await read(`?status=${status}`)
      expect(page.messages).toEqual([
        { recipient: messages[n].recipient, status, status_updated_at: expect.stringMatching(/Z$/) },
      ])
      // The counts are those of the whole campaign, whatever the page lists.
      expect(page.delivery).toEqual(delivery)
    }
    expect(await read('?page=1')).toMatchObject({ page: 1, messages: [], delivery })
  })

  it('200 or 400: has the id in the spelling of the contract, however it is asked for', async () => {
    const reseller = await bench.makeSmsReseller()
    const id = (await bench.sendAndWait(reseller, { message, recipients: fresh('921') })).body.data.campaignId as string
    expect((await bench.get(reseller, `/sms/messages/${id.toUpperCase()}`)).body.data.campaign.id).toBe(id)
    expect((await bench.get(reseller, `/sms/messages/urn:uuid:${id}`)).status).toBe(400)
  })

  it('404 or 400: answers another account’s campaign as one that does not exist, and refuses what is no id', async () => {
    const [one, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
    const id = (await bench.sendAndWait(one, { message, recipients: fresh() })).body.data.campaignId as string
    const foreign = await bench.get(other, `/sms/messages/${id}`)
    const missing = await bench.get(other, '/sms/messages/0190a000-0000-7000-8000-000000000000')
    expect([foreign.status, missing.status]).toEqual([404, 404])
    expect(foreign.body.error).toEqual(missing.body.error)
    expect((await bench.get(one, '/sms/messages/not-an-id')).status).toBe(400)
  })

  it.each(['page=-1', 'page=1.5', 'page=1e300', 'status=processing', 'status=blocked'])('400: refuses %s', async (query) => {
    const reseller = await bench.makeSmsReseller()
    const id = (await bench.sendAndWait(reseller, { message, recipients: fresh('921') })).body.data.campaignId as string
    expect((await bench.get(reseller, `/sms/messages/${id}?${query}`)).status).toBe(400)
  })
})
