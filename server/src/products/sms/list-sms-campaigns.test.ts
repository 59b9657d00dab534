import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { readCampaignRow, type SmsReseller, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const fresh = (ending?: string) => bench.freshNumber(ending)
const blockedMessage = 'You have received GHS 100.00 from KOFI. MTN Mobile Money. New balance GHS 120'
const campaignsOf = async (reseller: SmsReseller, query = '') =>
  (await bench.get(reseller, `/sms/campaigns${query}`)).body.data.campaigns as { id: string; status: string }[]

describe('GET /sms/campaigns', () => {
  it('200: pages 30 at a time, newest first, and filters by status and by whole days in Accra', async () => {
    const reseller = await bench.makeSmsReseller()
    const { db } = bench.app.database
    await Promise.all(
      Array.from({ length: 31 }, (_, n) => bench.sendAndWait(reseller, { message, recipients: fresh(n === 0 ? '921' : '000') })),
    )
    const page = async (query: string) => (await bench.get(reseller, `/sms/campaigns?${query}`)).body.data
    const [first, second, third] = [await page('page=0'), await page('page=1'), await page('page=2')]
    expect([first.campaigns.length, second.campaigns.length, third.campaigns.length]).toEqual([30, 1, 0])
    expect([first.page, second.page]).toEqual([0, 1])
    const ids = [...first.campaigns, ...second.campaigns].map(({ id }: { id: string }) => id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect((await page('status=failed')).campaigns).toHaveLength(1)
    expect(first.campaigns[0]).toEqual({
      id: expect.any(String),
      status: 'completed',
      recipients_count: 1,
      segments: 1,
      credits_charged: 1,
      sender_used: 'Makola',
      source: 'api',
      scheduled_at: null,
      created_at: expect.stringMatching(/Z$/),
    })
    const [last, day] = [ids.at(-1) ?? '', '2026-01-31']
    await db
      .updateTable('sms_campaigns')
      .set({ created_at: new Date(`${day}T23:59:59.999Z`) })
      .where('id', '=', last)
      .execute()
    expect((await page(`from=${day}&to=${day}`)).campaigns.map(({ id }: { id: string }) => id)).toEqual([last])
    expect((await page('from=2026-01-30&to=2026-01-30')).campaigns).toEqual([])
    expect((await page('from=2026-02-01')).campaigns).toHaveLength(30)
  })

  it('200: filters by each state alone, and shows an account only its own', async () => {
    const [reseller, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
    await bench.sendAndWait(other, { message, recipients: fresh() })
    await bench.sendAndWait(reseller, { message, recipients: fresh() })
    await bench.sendAndWait(reseller, { message, recipients: fresh('921') })
    await bench.sendAndWait(reseller, { message: blockedMessage, recipients: fresh() })
    expect((await campaignsOf(reseller)).map(({ status }) => status)).toEqual(['blocked', 'failed', 'completed'])
    for (const [status, count] of Object.entries({ queued: 0, processing: 0, completed: 1, failed: 1, blocked: 1 })) {
      expect((await campaignsOf(reseller, `?status=${status}`)).map((campaign) => campaign.status)).toEqual(
        Array.from({ length: count }, () => status),
      )
    }
    expect(await campaignsOf(reseller, '?status=failed&page=1')).toEqual([])
  })

  it('200: counts a day from its first to its last millisecond in Accra', async () => {
    const reseller = await bench.makeSmsReseller()
    const id = (await bench.sendAndWait(reseller, { message, recipients: fresh('921') })).body.data.campaignId as string
    const isListed = async (createdAt: string, query: string) => {
      await sql`update sms_campaigns set created_at = ${createdAt}::timestamptz where id = ${id}`.execute(bench.app.database.db)
      return (await campaignsOf(reseller, query)).length === 1
    }
    const [first, last] = ['2026-03-01T00:00:00Z', '2026-03-01T23:59:59.999Z']
    for (const query of ['?from=2026-03-01', '?to=2026-03-01', '?from=2026-03-01&to=2026-03-01']) {
      expect([await isListed(first, query), await isListed(last, query)]).toEqual([true, true])
    }
    expect(await isListed('2026-02-28T23:59:59.999Z', '?from=2026-03-01')).toBe(false)
    expect(await isListed('2026-03-02T00:00:00Z', '?to=2026-03-01')).toBe(false)
    expect(await isListed(first, '?from=2026-03-01&to=2026-03-01&status=failed')).toBe(true)
    expect(await isListed(first, '?from=0001-01-01&to=9999-12-31')).toBe(true)
  })

  it('200: records a blocked send at 0 credits, and no other refusal', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const recipients = [fresh(), fresh()]
    expect((await bench.sendAndWait(reseller, { message, recipients })).status).toBe(402)
    expect((await bench.sendAndWait(reseller, { message: blockedMessage, recipients, sender: 'nobody' })).status).toBe(400)
    expect(await campaignsOf(reseller)).toEqual([])
    // Even without credits, the refusal is the content policy's: funds are checked last.
    expect((await bench.sendAndWait(reseller, { message: blockedMessage, recipients })).headers['x-error-reason']).toBe(
      'content_blocked',
    )
    expect(await campaignsOf(reseller)).toEqual([
      {
        id: expect.any(String),
        status: 'blocked',
        recipients_count: 2,
        segments: 1,
        credits_charged: 0,
        sender_used: 'Makola',
        source: 'api',
        scheduled_at: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ])
  })

  it('200: knows how many a blocked send was for, and keeps nobody’s number', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const recipients = Array.from({ length: 10_000 }, (_, n) => `0${300_000_000 + n}`)
    expect((await bench.sendAndWait(reseller, { message: blockedMessage, recipients })).status).toBe(400)
    const [campaign] = await campaignsOf(reseller)
    expect(campaign).toMatchObject({ status: 'blocked', recipients_count: 10_000 })
    const row = await readCampaignRow(bench, campaign?.id ?? '')
    expect(row).toMatchObject({ recipients: [], message: blockedMessage, blocked_by: 'payment_receipt' })
    const { data } = (await bench.get(reseller, `/sms/messages/${campaign?.id}`)).body
    expect(data).toMatchObject({ campaign: { recipients_count: 10_000, credits_charged: 0 }, delivery: {}, messages: [] })
  })

  it.each([
    'page=-1',
    'page=1.5',
    'status=sent',
    'from=2026-13-01',
    'from=yesterday',
    'from=2026-02-01&to=2026-01-31',
    'page=1e300',
  ])('400: refuses %s of an account without campaigns', async (query) => {
    const reseller = await bench.makeSmsReseller(0)
    expect((await bench.get(reseller, `/sms/campaigns?${query}`)).status).toBe(400)
  })

  it.each([
    'from=2026-02-29',
    'to=2026-02-30',
    'from=2026-3-1',
    'from=',
    'from=2026-03-01T00:00:00Z',
    'to=0000-01-01',
    'status=',
    'page=',
  ])('400: refuses %s', async (query) => {
    const reseller = await bench.makeSmsReseller()
    await bench.sendAndWait(reseller, { message, recipients: fresh('921') })
    expect((await bench.get(reseller, `/sms/campaigns?${query}`)).status).toBe(400)
  })
})
