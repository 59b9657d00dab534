import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import type { CourtesySms } from '../../notices/message-transports.ts'
import { sendCourtesyNotices } from '../../notices/send-courtesy-notices.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { createVoucherNotices } from './compose-voucher-notice.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'

let app: TestApp
let keys: SecretsKeys
beforeAll(async () => {
  app = await startTestApp()
  keys = await keysOf(app)
})
afterAll(() => app.close())

async function buy(quantity: number, more: object) {
  const { typeId, name } = await stockVouchers(app.database.db, keys, quantity)
  const { key } = await app.makeReseller({ balancePesewas: 1_000_000 })
  const body = { typeId, quantity, reference: `notice-${typeId}`, ...more }
  const answer = await app.call('POST', '/resultschecker/purchase', { key, body })
  expect(answer.status).toBe(200)
  return { key, name, body, orderId: answer.body.data.order.id as string }
}
const noticesOf = async (orderId: string) => {
  const rows = await app.database.db
    .selectFrom('courtesy_notices')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('channel')
    .execute()
  return rows.map(({ channel }) => channel)
}

describe('courtesy delivery of vouchers', () => {
  it('is queued for each address of the request, and for none when both are omitted', async () => {
    expect(await noticesOf((await buy(1, {})).orderId)).toEqual([])
    expect(await noticesOf((await buy(1, { recipientPhone: '0241234567' })).orderId)).toEqual(['sms'])
    expect(
      await noticesOf((await buy(1, { recipientPhone: '233241234567', recipientEmail: 'ama@example.com' })).orderId),
    ).toEqual(['email', 'sms'])
  })

  it('is queued once, also when the purchase is repeated', async () => {
    const { key, body, orderId } = await buy(1, { recipientPhone: '0241234567' })
    await app.call('POST', '/resultschecker/purchase', { key, body })
    expect(await noticesOf(orderId)).toEqual(['sms'])
  })

  it('keeps neither address nor voucher in its queue', async () => {
    await buy(1, { recipientPhone: '0201112223', recipientEmail: 'esi@example.com' })
    const { rows } = await sql<{ row: string }>`select courtesy_notices::text as row from courtesy_notices`.execute(
      app.database.db,
    )
    expect(rows.map(({ row }) => row).join('\n')).not.toMatch(/0201112223|example\.com|PIN-|SERIAL-/)
  })

  it('says the vouchers to the address of the request', async () => {
    const { name, orderId } = await buy(2, { recipientPhone: '0241234567', recipientEmail: 'ama@example.com' })
    const compose = createVoucherNotices(app.database.db, keys)
    expect(await compose(orderId, 'email')).toEqual({
      to: 'ama@example.com',
      subject: `Your ${name} vouchers`,
      text: `Here are your vouchers for ${name}:\n\nSerial SERIAL-${name}-1 PIN PIN-${name}-1\nSerial SERIAL-${name}-2 PIN PIN-${name}-2\n`,
    })
    expect(await compose(orderId, 'sms')).toMatchObject({
      to: '0241234567',
      text: `${name}:\nSerial SERIAL-${name}-1 PIN PIN-${name}-1\nSerial SERIAL-${name}-2 PIN PIN-${name}-2`,
    })
  })

  it('by SMS says as many whole vouchers as one message holds, and how many are missing', async () => {
    const { orderId } = await buy(60, { recipientPhone: '0241234567' })
    const message = await createVoucherNotices(app.database.db, keys)(orderId, 'sms')
    const text = message?.text ?? ''
    expect(text.length).toBeLessThanOrEqual(1_000)
    const told = text.match(/PIN PIN-/g)?.length ?? 0
    expect(told).toBeGreaterThan(10)
    expect(text).toContain(`and ${60 - told} more: ask your seller`)
  })

  it('leaves by the worker’s timer, through whatever SMS link there is', async () => {
    const { orderId } = await buy(1, { recipientPhone: '0271234567' })
    const sent: CourtesySms[] = []
    const sms = { sendSms: async (one: CourtesySms) => (sent.push(one), { outcome: 'sent' as const }) }
    const log = pino({ level: 'silent' })
    const compose = createVoucherNotices(app.database.db, keys)
    await sendCourtesyNotices({ db: app.database.db, log, compose, mailServer: undefined, sms })
    await sendCourtesyNotices({ db: app.database.db, log, compose, mailServer: undefined, sms })
    expect(sent.filter(({ to }) => to === '0271234567')).toHaveLength(1)
    const { state } = await app.database.db
      .selectFrom('courtesy_notices')
      .select('state')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(state).toBe('sent')
  })
})
