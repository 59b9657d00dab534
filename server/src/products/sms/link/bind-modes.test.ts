import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sleepToProveAbsence } from '../../../../test/patience.ts'
import { until, useFreshSmsBenches } from '../sms-bench.fixture.ts'

const bench = useFreshSmsBenches()

const message = 'Your order is ready.'
const modes = async () =>
  ((await bench.smsc('GET', '/smsc/sessions'))['sessions'] as { mode: string }[]).map(({ mode }) => mode).toSorted()

async function setBindMode(bindMode: string): Promise<void> {
  const { db } = bench.app.database
  await db
    .updateTable('suppliers')
    .set({ settings: JSON.stringify({ bindMode }) })
    .where('name', '=', 'smsc')
    .execute()
  await sql`update cache_epoch set epoch = epoch + 1, catalogue_version = catalogue_version + 1`.execute(db)
}

function statusesOf(id: string) {
  return bench.app.database.db.selectFrom('sms_messages').select('status').where('campaign_id', '=', id).orderBy('n').execute()
}

async function send() {
  const reseller = await bench.makeSmsReseller(10)
  const recipients = [bench.freshNumber(), bench.freshNumber('922'), bench.freshNumber('921')]
  return (await bench.sendAndWait(reseller, { message, recipients })).body.data
}

it('over a transmitter messages stay `sent`, and the campaign settles and is refunded like any other', async () => {
  await setBindMode('transmitter')
  await bench.startWorker()
  expect(await modes()).toEqual(['transmitter'])
  const campaign = await send()
  expect(campaign).toMatchObject({ status: 'completed', sent: 2, failed: 1, balance: 8 })
  // No event would end this wait, so it is longer than a receipt takes.
  await sleepToProveAbsence(500)
  expect(await statusesOf(campaign.campaignId)).toEqual(['sent', 'sent', 'failed'].map((status) => ({ status })))
})

it('over a pair receipts are heard', async () => {
  await setBindMode('pair')
  await bench.startWorker()
  await until('both are bound', async () => (await modes()).length === 2)
  const campaign = await send()
  expect(campaign).toMatchObject({ status: 'completed', sent: 2, failed: 1, balance: 8 })
  const expected = ['delivered', 'undelivered', 'failed'].map((status) => ({ status }))
  await until(
    'the receipts are in',
    async () => JSON.stringify(await statusesOf(campaign.campaignId)) === JSON.stringify(expected),
  )
})

it('a changed bind mode is in force without a restart', async () => {
  await bench.startWorker()
  expect(await modes()).toEqual(['transceiver'])
  await setBindMode('pair')
  await until('it is bound anew', async () => (await modes()).join() === 'receiver,transmitter')
})
