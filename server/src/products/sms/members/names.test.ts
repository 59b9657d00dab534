import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { runAudit } from '../../../money/audit.ts'
import { readWallet } from '../../../money/wallets.ts'
import type { Db } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { forgettingOfTexts } from '../forgetting/forget-messages.ts'
import { smsAuditChecks } from '../sms.audit.ts'
import { readCampaignRow, readMessages, until } from '../sms-bench.fixture.ts'
import { type MemberShop, setUpMemberShops } from './member-shops.fixture.ts'

const shops = setUpMemberShops()
const { db, makeShop } = shops
beforeAll(() => shops.bench.startWorker())

const abroad = (number: string) => `233${number.slice(1)}`
const creditsOf = async ({ accountId }: MemberShop) => (await readWallet(db(), { accountId, purse: 'sms_credits' })).balance
const previewOf = async (shop: MemberShop, body: Record<string, unknown>) =>
  (await shop.ask('POST', '/sms/check-recipients', { list_ids: [], ...body })).body.data.named

async function importList(shop: MemberShop, text: string): Promise<string> {
  const { list_id } = (await shop.ask('POST', '/sms/lists', { name: newId() })).body.data
  await shop.ask('POST', `/sms/lists/${list_id}/import`, { text, is_dry_run: false })
  return list_id as string
}

const addCustomer = (shop: MemberShop, name: string, number: string) =>
  shop.ask('POST', '/customers', { name, numbers: [number], note: '', is_favourite: false })

it('sends each recipient its own text, and charges and refunds the segments of each', async () => {
  const shop = await makeShop()
  // With a name of up to 8 letters, the text has at most 160 characters, which is one segment.
  const message = `Hi {name}, ${'your order is ready. '.repeat(7)}`.slice(0, 158)
  const [listed, customer, nobody, refused, unicode] = ['000', '000', '000', '921', '000'].map((end) =>
    shops.bench.freshNumber(end),
  )
  const list_id = await importList(shop, `Ama Boa,${listed}\nKwame Asante Mensah,${refused}`)
  await addCustomer(shop, 'Not the name of the chosen list', listed ?? '')
  await addCustomer(shop, 'Nana  Akosua', customer ?? '')
  const wish = { message, recipients: `${customer}\n${nobody}\nYaa Ɛ,${unicode}`, list_ids: [list_id] }
  expect(await previewOf(shop, wish)).toMatchObject({ unnamed: 1, credits: null })
  const asked = { ...wish, name_fallback: 'client' }
  const texts = ['Nana Akosua', 'client', 'Yaa Ɛ', 'Ama Boa', 'Kwame Asante Mensah'].map((name) =>
    message.replace('{name}', name),
  )
  const preview = await previewOf(shop, asked)
  expect(preview).toMatchObject({ unnamed: 1, credits: 2 + 1 + 3 + 1 + 2, segments_min: 1, segments_max: 3 })
  expect(preview.first.map(({ text }: { text: string }) => text)).toEqual(texts.slice(0, 3))

  const order = { ...asked, credits: 9, reference: 'names' }
  expect((await shop.ask('POST', '/sms/send', { ...order, credits: 8 })).headers['x-error-reason']).toBe('price_changed')
  const id = (await shop.ask('POST', '/sms/send', order)).body.data.campaign_id as string
  await until('it has settled', async () => (await readCampaignRow(shops.bench, id)).settled_at !== null)
  expect(await readCampaignRow(shops.bench, id)).toMatchObject({ segments: 3, credits_charged: 9, credits_refunded: 2 })
  expect(await creditsOf(shop)).toBe(100 - 9 + 2)
  const parts = [2, 1, 3, 1]
  for (const [index, number] of [customer, nobody, unicode, listed].entries()) {
    expect(await shops.bench.textsOf(abroad(number ?? ''))).toMatchObject([{ text: texts[index], parts: parts[index] }])
  }
  const statuses = async () => (await readMessages(shops.bench, id)).map(({ status }) => status)
  await until('all are reported', async () => !(await statuses()).includes('sent'))
  expect(await statuses()).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'failed'])

  // A repeated send gives the same campaign, even if names were saved since. With another fallback word it is a different request.
  await addCustomer(shop, 'Somebody', nobody ?? '')
  expect((await shop.ask('POST', '/sms/send', order)).body.data).toEqual({ campaign_id: id, is_replay: true })
  expect((await shop.ask('POST', '/sms/send', { ...order, name_fallback: 'friend' })).status).toBe(409)

  await sql`update sms_campaigns set settled_at = settled_at - interval '1 year' where id = ${id}`.execute(db())
  await db()
    .transaction()
    .execute((tx) => forgettingOfTexts.step(tx, ''))
  expect(await readCampaignRow(shops.bench, id)).toMatchObject({ message: '', names: null })
})

it('sends no text with a hole or a token, and no charge is made for the try', async () => {
  const shop = await makeShop()
  const reasonOf = async (more: Record<string, unknown>) => {
    const body = { message: 'Hi { Name }!', recipients: '0241234567', list_ids: [], credits: 1, reference: newId(), ...more }
    return (await shop.ask('POST', '/sms/send', body)).headers['x-error-reason']
  }
  expect(await reasonOf({})).toBe('name_missing')
  for (const name_fallback of [' ', '{name}']) expect(await reasonOf({ name_fallback })).toBe('name_missing')
  expect(await reasonOf({ message: 'Hi {{name}}', name_fallback: 'name' })).toBe('name_missing')
  // The content policy reads the text that the recipient gets.
  await addCustomer(shop, 'received GHS 100.00 from KOFI. MTN Mobile Money.', '0241234567')
  expect(await reasonOf({ message: 'You have {name} New balance GHS 120' })).toBe('content_blocked')
  expect(await creditsOf(shop)).toBe(100)
})

/** Schedules a campaign to two numbers with names: one text costs one credit, the other one three. */
async function schedule(shop: MemberShop, numbers: readonly string[]): Promise<string> {
  const order = {
    message: '{name} '.repeat(20),
    recipients: `Ama,${numbers[0]}\nNana Akosua Agyeman,${numbers[1]}`,
    list_ids: [],
    credits: 1 + 3,
    reference: newId(),
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  expect(await previewOf(shop, order)).toMatchObject({ credits: order.credits })
  const { body } = await shop.ask('POST', '/sms/send', order)
  expect(await creditsOf(shop)).toBe(96)
  return body.data.campaign_id as string
}

const changeCampaign = (id: string, set: RawBuilder<unknown>, on: Db = shops.bench.app.database.ownerDb) =>
  sql`update sms_campaigns set ${set} where id = ${id}`.execute(on)

it('gives all back when a scheduled campaign with names is cancelled, and the audit finds another charge than that of each', async () => {
  const shop = await makeShop()
  const id = await schedule(shop, ['0241234567', '0241234568'])
  const { ownerDb } = shops.bench.app.database
  const damaged = ownerDb.transaction().execute(async (tx) => {
    await changeCampaign(id, sql`segments_of_each = '{1,2}'`, tx)
    const { checks } = await runAudit(tx, smsAuditChecks, { isFull: true })
    throw new Error(
      Object.keys(checks)
        .filter((name) => checks[name] !== 0)
        .join(' '),
    )
  })
  await expect(damaged).rejects.toThrow(/^sms_charged_differs_from_the_segments_of_each$/)
  await shop.ask('POST', `/sms/campaigns/${id}/cancel`)
  expect(await creditsOf(shop)).toBe(100)
})

it('a message whose name is gone fails alone and is refunded: it is not sent, and its link sends the others', async () => {
  const shop = await makeShop()
  const [nameless, named] = [shops.bench.freshNumber(), shops.bench.freshNumber()] as const
  const id = await schedule(shop, [nameless, named])
  await changeCampaign(id, sql`names[1] = null, scheduled_at = now()`)
  await until('it has settled', async () => (await readCampaignRow(shops.bench, id)).settled_at !== null)
  expect(await creditsOf(shop)).toBe(96 + 1)
  expect(await readMessages(shops.bench, id)).toMatchObject([{ status: 'failed', reason: expect.stringContaining('name') }, {}])
  const failures = String((await shop.ask('GET', `/sms/campaigns/${id}/failures.csv`)).body)
  expect(failures.split('\r\n')[1]).toMatch(new RegExp(`^${nameless},Refused,"?not sent, the name for its text was deleted"?,`))
  expect(await shops.bench.textsOf(abroad(nameless))).toEqual([])
  expect(await shops.bench.textsOf(abroad(named))).toMatchObject([{ parts: 3 }])
})

it('{name} in a text of a program is literal text', async () => {
  const reseller = await shops.bench.makeSmsReseller()
  const number = shops.bench.freshNumber()
  await shops.bench.sendAndWait(reseller, { message: 'Hi {name}', recipients: [number] })
  expect(await shops.bench.textsOf(abroad(number))).toMatchObject([{ text: 'Hi {name}', parts: 1 }])
})
