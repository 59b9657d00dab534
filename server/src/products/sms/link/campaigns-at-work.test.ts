import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { closeIntake, openIntake } from '../../../orders/intake/open-intake.ts'
import { sendCampaign } from '../campaigns/send-campaign.ts'
import { settleAllCampaigns } from '../campaigns/settle-campaigns.ts'
import { smsKind } from '../sms.kind.ts'
import {
  concludeNow,
  countSubmits,
  createFreshSettings,
  expireDeadlines,
  numbersOf,
  readCampaignRow,
  until,
  useFreshSmsBenches,
} from '../sms-bench.fixture.ts'

const bench = useFreshSmsBenches()

const message = 'Your order is ready.'
const submits = () => countSubmits(bench)
const campaignOf = (id: string) => readCampaignRow(bench, id)

it('a campaign that no link takes up raises the alarm, and fails at its deadline and is refunded', async () => {
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

it('a campaign settles and refunds exactly once, however many settle it', async () => {
  const { ownerDb, db } = bench.app.database
  const worker = await bench.startWorker()
  const reseller = await bench.makeSmsReseller(1_000)
  await sql`alter table sms_campaigns add constraint none_is_settled check (settled_at is null) not valid`.execute(ownerDb)
  const recipients = [bench.freshNumber('921'), bench.freshNumber()]
  const sending = bench.send(reseller, { message, recipients })
  const answered = async () =>
    await db.selectFrom('sms_messages').select('campaign_id').where('submit', '=', 'answered').execute()
  await until('both are answered', async () => (await answered()).length === 2)
  const id = (await answered())[0]?.campaign_id ?? ''
  await worker.stop()
  expect(await campaignOf(id)).toMatchObject({ status: 'processing', open_count: 0, credits_refunded: 0 })
  await sql`alter table sms_campaigns drop constraint none_is_settled`.execute(ownerDb)

  await Promise.all(Array.from({ length: 64 }, () => settleAllCampaigns(db)))
  expect(await campaignOf(id)).toMatchObject({ status: 'completed', credits_refunded: 1 })
  expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(999)
  await sending
})

it('a campaign of one text overtakes one of thousands', async () => {
  await bench.smsc('POST', '/control/smsc', { perSecond: 100 })
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(5_000)
  const bulk = (await bench.send(reseller, { message, recipients: numbersOf(3_000) })).body.data.campaignId as string
  await until('the many are under way', async () => (await submits()) > 20)
  const { body } = await bench.sendAndWait(reseller, { message: 'Your code is 1234', recipients: [bench.freshNumber()] })
  expect(body.data).toMatchObject({ status: 'completed', sent: 1 })
  expect((await campaignOf(bulk)).status).toBe('processing')
})

it('a campaign that is scheduled is debited now and sent when its time has come', async () => {
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
