import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../../../platform/database/new-id.ts'
import { writeCampaigns } from '../campaigns/write-campaigns.ts'
import { useFreshSmsBenches } from '../sms-bench.fixture.ts'
import { encodeText } from '../text/encode-text.ts'

const bench = useFreshSmsBenches()

const message = 'Your order is ready.'

/** Makes a campaign without an order, as only a manual change of the database can. */
async function writeBroken(accountId: string, count: number): Promise<string> {
  const id = newId()
  const recipients = Array.from({ length: count }, (_, n) => `233${241_000_000 + n}`)
  const campaign = { source: 'api', sender: 'Makola', message, segmentRule: 'standard', scheduledAt: null, leftOut: [] } as const
  await writeCampaigns(bench.app.database.db, [{ ...campaign, id, accountId, text: encodeText(message, 'standard'), recipients }])
  return id
}

it.each([1, 501])('a text leaves although a campaign to %i, which came before it, cannot be taken up', async (count) => {
  await bench.startWorker()
  const reseller = await bench.makeSmsReseller(10)
  const id = await writeBroken(reseller.accountId, count)
  const { body } = await bench.sendAndWait(reseller, { message, recipients: bench.freshNumber() })
  await sql`delete from sms_campaigns where id = ${id}`.execute(bench.app.database.ownerDb)
  expect(body.data).toMatchObject({ status: 'completed', sent: 1 })
})

it('links open and campaigns settle although one of them cannot', async () => {
  const { ownerDb } = bench.app.database
  const reseller = await bench.makeSmsReseller(10)
  const id = await writeBroken(reseller.accountId, 1)
  await sql`update sms_campaigns set status = 'processing', expanded_at = now(), open_count = 0 where id = ${id}`.execute(ownerDb)
  await bench.startWorker()
  const { body } = await bench.sendAndWait(reseller, { message, recipients: bench.freshNumber() })
  await sql`delete from sms_campaigns where id = ${id}`.execute(ownerDb)
  expect(body.data).toMatchObject({ status: 'completed', sent: 1 })
})
