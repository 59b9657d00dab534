import { expect, it } from 'vitest'
import { writeSetting } from '../../platform/settings/settings.ts'
import { smsQuietHours } from './sms.settings.ts'
import { type SmsReseller, until, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const fresh = () => bench.freshNumber()
const international = (number: string) => `233${number.slice(1)}`
const add = ({ key }: SmsReseller, numbers: string[]) => bench.app.call('POST', '/sms/opt-outs', { key, body: { numbers } })
const listOf = async (reseller: SmsReseller, query = '') =>
  (await bench.get(reseller, `/sms/opt-outs${query}`)).body.data as { total: number; numbers: string[]; next: string | null }

it('STOP, answered to a sender, opts the number out of the texts of the accounts that wrote to it, and nobody else’s', async () => {
  const [reseller, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
  const [one, two, three] = [fresh(), fresh(), fresh()]
  await bench.sendAndWait(reseller, { message, recipients: [one, two, three] })
  const reply = (from: string, text: string) => bench.smsc('POST', '/control/smsc/reply', { from, to: 'Makola', text })
  await reply(`+${international(two)}`, 'Please do not stop')
  await reply(international(one), ' Stop. ')
  await reply(international(one), 'STOP')
  await reply(international(three), 'STOP\0')
  expect(await listOf(reseller)).toEqual({ total: 2, numbers: [one, three].map(international).toSorted(), next: null })
  expect((await listOf(other)).total).toBe(0)
})

it('a send to several numbers leaves out who has opted out and charges the others; a text to one number goes', async () => {
  const reseller = await bench.makeSmsReseller(10)
  const [out, one, two] = [fresh(), fresh(), fresh()]
  expect((await add(reseller, [out, international(out)])).body.data).toEqual({ added: 1 })
  const body = { message, recipients: [one, out, two], reference: 'news' }
  const { data } = (await bench.sendAndWait(reseller, body)).body
  expect(data).toMatchObject({ recipients: 2, creditsCharged: 2, sent: 2, balance: 8 })
  expect(await bench.textsOf(international(out))).toEqual([])
  // The same request in another notation, after somebody else opted out, is the same campaign. Another number is a conflict.
  await add(reseller, [one])
  const again = await bench.send(reseller, { ...body, recipients: [two, international(out), one] })
  expect(again.body.data).toMatchObject({ campaignId: data.campaignId, balance: 8 })
  expect((await bench.send(reseller, { ...body, recipients: [two, fresh(), one] })).status).toBe(409)

  const refused = await bench.send(reseller, { message, recipients: [out, one] })
  expect([refused.status, refused.headers['x-error-reason']]).toEqual([400, 'all_opted_out'])
  expect((await bench.sendAndWait(reseller, { message, recipients: out })).body.data).toMatchObject({ sent: 1, balance: 7 })
})

it('in quiet hours a send to several numbers waits, and a text to one goes at once', async () => {
  const { db } = bench.app.database
  const reseller = await bench.makeSmsReseller()
  const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16)
  await writeSetting(db, smsQuietHours, `${clock(-120)}-${clock(120)}`, 'test')
  const many = await bench.send(reseller, { message, recipients: [fresh(), fresh()] })
  expect(many.body.data).toMatchObject({ status: 'queued', sent: 0, creditsCharged: 2 })
  expect((await bench.sendAndWait(reseller, { message, recipients: fresh() })).body.data).toMatchObject({ sent: 1 })
  const path = `/sms/messages/${many.body.data.campaignId}`
  const statusNow = async () => (await bench.get(reseller, path)).body.data.campaign.status
  expect(await statusNow()).toBe('queued')
  await writeSetting(db, smsQuietHours, `${clock(120)}-${clock(-120)}`, 'test')
  await until('it has gone out', async () => (await statusNow()) === 'completed')
})

it('who opts out after a send to several numbers and before it begins gets no text, and the credits come back', async () => {
  const { db } = bench.app.database
  const reseller = await bench.makeSmsReseller(10)
  const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16)
  await writeSetting(db, smsQuietHours, `${clock(-120)}-${clock(120)}`, 'test')
  const [stays, leaves, alsoLeaves] = [fresh(), fresh(), fresh()]
  const placed = async (recipients: string[]) =>
    (await bench.send(reseller, { message, recipients })).body.data.campaignId as string
  const [some, all] = [await placed([stays, leaves]), await placed([leaves, alsoLeaves])]
  await add(reseller, [leaves, alsoLeaves])
  await writeSetting(db, smsQuietHours, `${clock(120)}-${clock(-120)}`, 'test')
  const page = async (id: string) => (await bench.get(reseller, `/sms/messages/${id}`)).body.data
  const ended = async (id: string) => ['completed', 'failed'].includes((await page(id)).campaign.status)
  await until('both have ended', async () => (await ended(some)) && (await ended(all)))
  expect((await page(some)).campaign.status).toBe('completed')
  expect((await page(all)).campaign.status).toBe('failed')
  for (const number of [leaves, alsoLeaves]) expect(await bench.textsOf(international(number))).toEqual([])
  expect(await bench.textsOf(international(stays))).toHaveLength(1)
  expect((await bench.get(reseller, '/sms/balance')).body.data.credits).toBe(9)
})
