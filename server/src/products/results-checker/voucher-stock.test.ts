import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import { until } from '../../orders/dispatch/order-bench.fixture.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { claimVouchers } from './claim-vouchers.ts'
import { raiseUnreadableVoucherAlarms, unreadableVoucherAlarm } from './raise-unreadable-voucher-alarms.ts'
import { setUpVouchers } from './set-up-vouchers.fixture.ts'

const setUp = setUpVouchers()
const { shop, newReference, stocked, buy, recall, typeOf } = setUp
const { balance } = shop
const audit = async () => (await runAudit(shop.db, allAuditChecks, { isFull: true })).checks
const clean = (checks: Readonly<Record<string, number>>) => Object.fromEntries(Object.keys(checks).map((name) => [name, 0]))

describe('buyers who race for the stock', () => {
  it('sells each voucher once to 5 buyers who race for the last ones on two processes, and charges nobody without a voucher', async () => {
    const { typeId } = await stocked(23)
    const buyers = await Promise.all(Array.from({ length: 5 }, () => shop.app.makeReseller({ balancePesewas: 100_000 })))
    const refusals = new Set<string>()
    const bought = new Map(buyers.map(({ key }) => [key, [] as { pin: string; serial_number: string }[]]))
    await Promise.all(
      buyers.flatMap(({ key }, buyer) =>
        Array.from({ length: 12 }, async (_, index) => {
          const wanted = { typeId, quantity: 1 + (index % 3), reference: newReference() }
          const ask = () => buy(key, wanted, (buyer + index) % 2 ? shop.app : shop.second)
          const { status, body, headers } = await retryWhileOverloaded(ask)
          if (status === 200) bought.get(key)?.push(...body.data.vouchers)
          else refusals.add(`${status} ${String(headers['x-error-reason'])}`)
        }),
      ),
    )
    const all = [...bought.values()].flat()
    expect(refusals).toEqual(new Set(['400 voucher_stock_short']))
    expect(all).toHaveLength(23)
    expect(new Set(all.map((voucher) => voucher.pin)).size).toBe(23)
    for (const [key, vouchers] of bought) expect(await balance(key)).toBe(1_000 - vouchers.length * 17.5)
    expect((await buy(buyers[0]?.key ?? '', { typeId })).body.error.message).toContain('0 available')
    const checks = await audit()
    expect(checks).toEqual(clean(checks))
  })

  it('waits for another purchase of the same type that is not yet committed, and then sees what it left', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller()
    const other = newId()
    const purchase = await inTransaction(shop.db, async (tx) => {
      await sql`select from voucher_types where id = ${typeId} for no key update`.execute(tx)
      await claimVouchers(tx, [{ orderId: other, typeId, quantity: 1 }])
      const waiting = buy(key, { typeId })
      await until(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          shop.app.database.ownerDb,
        )
        return rows.length > 0
      })
      return { waiting }
    })
    const { status, headers } = await purchase.waiting
    expect([status, headers['x-error-reason']]).toEqual([400, 'voucher_stock_short'])
    expect(await balance(key)).toBe(1_000)
    // The other order was never written. Its vouchers are deleted, because the audit at the end would rightly find
    // them.
    await sql`delete from vouchers where order_id = ${other}`.execute(shop.app.database.ownerDb)
  })

  it('turns equal requests racing on two processes into one order with one set of vouchers', async () => {
    const { typeId } = await stocked(20)
    const { key } = await shop.app.makeReseller()
    const body = { typeId, quantity: 2, reference: newReference() }
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => retryWhileOverloaded(() => buy(key, body, index % 2 ? shop.app : shop.second))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data.vouchers))).size).toBe(1)
    expect(await balance(key)).toBe(965)
  })
})

describe('a voucher that was altered in the database', () => {
  it('answers 500 that tells nothing when a ciphertext was moved to another row, altered or cut', async () => {
    const { typeId } = await stocked(2)
    const { key } = await shop.app.makeReseller()
    const reference = newReference()
    const { body } = await buy(key, { typeId, quantity: 2, reference })
    const [first, other] = body.data.vouchers as { id: string; pin: string }[]
    const sealedPin = async (id = '') =>
      (await shop.db.selectFrom('vouchers').select('pin').where('id', '=', id).executeTakeFirstOrThrow()).pin
    const original = await sealedPin(first?.id)
    for (const wrong of [
      await sealedPin(other?.id),
      original.slice(0, -2),
      original.replace(/^v1\.[0-9a-f]+/, 'v1.00000000'),
      'x',
    ]) {
      await shop.app.database.ownerDb
        .updateTable('vouchers')
        .set({ pin: wrong })
        .where('id', '=', first?.id ?? '')
        .execute()
      const answer = await recall(key, reference)
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([500, 'internal_error'])
      expect(JSON.stringify(answer.body)).not.toContain('PIN-')
    }
    await shop.app.database.ownerDb
      .updateTable('vouchers')
      .set({ pin: original })
      .where('id', '=', first?.id ?? '')
      .execute()
    expect((await recall(key, reference)).body.data.vouchers).toEqual(body.data.vouchers)
  })
})

describe('the stock', () => {
  it('charges nobody for a voucher that does not open, raises an alarm, and sells it once it does', async () => {
    const { typeId, name } = await stocked(2)
    const { key } = await shop.app.makeReseller()
    const body = { typeId, reference: newReference() }
    const alter = (change: string) =>
      sql`update vouchers set serial_number = ${sql.raw(change)} where type_id = ${typeId}`.execute(shop.db)
    const alarms = async () => {
      await raiseUnreadableVoucherAlarms(shop.db, setUp.keys, pino({ level: 'silent' }))
      const rows = await shop.db
        .selectFrom('alarms')
        .select(['subject', 'message'])
        .where('name', '=', unreadableVoucherAlarm)
        .where('cleared_at', 'is', null)
        .execute()
      return rows
    }
    expect(await alarms()).toEqual([])
    await alter(`serial_number || 'A'`)
    expect(await alarms()).toEqual([{ subject: name, message: expect.stringContaining('2 of the next vouchers') }])
    const refused = await buy(key, body)
    expect([refused.status, refused.headers['x-error-reason']]).toEqual([500, 'internal_error'])
    expect(await balance(key)).toBe(1_000)
    expect((await recall(key, body.reference)).status).toBe(404)
    expect(await typeOf(key, typeId)).toMatchObject({ available_count: 2 })
    await alter(`left(serial_number, -1)`)
    expect(await alarms()).toEqual([])
    expect((await buy(key, body)).body.data.vouchers).toMatchObject([{ serial_number: `SERIAL-${name}-1` }])
  })

  it('never takes a sold voucher back or gives it to another order', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller()
    const { body } = await buy(key, { typeId })
    const id = body.data.vouchers[0].id as string
    for (const orderId of [null, newId()]) {
      const change = sql`update vouchers set order_id = ${orderId}, sold_at = ${orderId && new Date()} where id = ${id}`
      await expect(change.execute(shop.db)).rejects.toThrow('a sold voucher stays with its order')
    }
    await expect(sql`delete from vouchers where id = ${id}`.execute(shop.db)).rejects.toThrow('permission denied')
  })

  it('sells nothing rather than too little when its count is wrong, and the audit names it', async () => {
    const { typeId } = await stocked(1)
    await sql`update voucher_types set available_count = 5 where id = ${typeId}`.execute(shop.db)
    const { key } = await shop.app.makeReseller()
    expect((await buy(key, { typeId, quantity: 2 })).status).toBe(500)
    expect(await balance(key)).toBe(1_000)
    expect(await audit()).toMatchObject({ voucher_count_differs_from_stock: 1 })
    await sql`update voucher_types set available_count = 1 where id = ${typeId}`.execute(shop.db)
  })

  it('is audited: a voucher sold without an order, and an order with another quantity than it has vouchers', async () => {
    const { typeId } = await stocked(2)
    const { key } = await shop.app.makeReseller()
    const { body } = await buy(key, { typeId })
    await sql`update vouchers set order_id = ${newId()}, sold_at = now() where type_id = ${typeId} and order_id is null`.execute(
      shop.db,
    )
    await sql`update voucher_types set available_count = 0 where id = ${typeId}`.execute(shop.db)
    expect(await audit()).toMatchObject({ voucher_sold_without_its_order: 1, order_quantity_differs_from_its_vouchers: 0 })
    await sql`delete from vouchers where type_id = ${typeId}`.execute(shop.app.database.ownerDb)
    expect(await audit()).toMatchObject({ voucher_sold_without_its_order: 0, order_quantity_differs_from_its_vouchers: 1 })
    await sql`update orders set details = jsonb_set(details, '{quantity}', '0') where id = ${body.data.order.id}`.execute(
      shop.app.database.ownerDb,
    )
    expect(await audit()).toMatchObject({ voucher_order_price_differs_from_its_quantity: 1 })
    await sql`update orders set details = details || '{"quantity": 0, "unitPricePesewas": 1}' where id = ${body.data.order.id}`.execute(
      shop.app.database.ownerDb,
    )
    await sql`insert into vouchers select gen_random_uuid(), ${typeId}::uuid, 'x', '\\x01', 'x', '\\x01', ${body.data.order.id}::uuid, now(), now()`.execute(
      shop.app.database.ownerDb,
    )
    await sql`update orders set details = details || '{"quantity": 1, "unitPricePesewas": 1750}' where id = ${body.data.order.id}`.execute(
      shop.app.database.ownerDb,
    )
  })

  it('is audited: a sold voucher that is in the stock of another type, too', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller()
    await buy(key, { typeId })
    const other = await stocked(0)
    await sql`
      insert into vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash)
      select gen_random_uuid(), ${other.typeId}, pin, pin_hash, serial_number, serial_number_hash
      from vouchers where type_id = ${typeId}`.execute(shop.db)
    await sql`update voucher_types set available_count = 1 where id = ${other.typeId}`.execute(shop.db)
    expect(await audit()).toMatchObject({ voucher_sold_twice: 1, voucher_count_differs_from_stock: 0 })
    await sql`delete from vouchers where type_id = ${other.typeId}`.execute(shop.app.database.ownerDb)
    await sql`update voucher_types set available_count = 0 where id = ${other.typeId}`.execute(shop.db)
  })
})
