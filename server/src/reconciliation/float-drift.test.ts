import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { pesewas } from '../money/pesewas.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { readSetting, writeSetting } from '../platform/settings/settings.ts'
import { readDueFloats } from '../suppliers/float/read-due-floats.ts'
import { FloatMovementError, recordFloatMovement } from '../suppliers/float/record-float-movement.ts'
import type { FloatAnswer, Supplier } from '../suppliers/ports.ts'
import { compareFloats, daysBetween } from './compare-floats.ts'
import { floatDriftTolerance } from './reconciliation.settings.ts'
import { watchFloatDrift } from './watch-float-drift.ts'

const log = pino({ level: 'silent' })
const hour = 3_600_000
const day = new Date('2026-07-30T00:00:00Z')
/** A moment of the tested day, in hours from its beginning. */
const at = (hours: number) => new Date(day.getTime() + hours * hour)

let database: TestDatabase
let attempts = 0
let suppliers = 0
let supplier: string

beforeAll(async () => {
  database = await createTestDatabase()
})
// History is never deleted, so each test has a supplier of its own.
beforeEach(async () => {
  suppliers += 1
  supplier = `stub${suppliers}`
  await sql`insert into suppliers (name, adapter) values (${supplier}, 'stub')`.execute(database.db)
  await sql`insert into routes (supplier, product, network) values (${supplier}, 'data', 'MTN')`.execute(database.db)
})
afterAll(() => database.drop())

const read = (moment: Date, floatPesewas: number) =>
  sql`insert into supplier_float_reads (supplier, read_at, float_pesewas) values (${supplier}, ${moment}, ${floatPesewas})`.execute(
    database.db,
  )

type Attempted = { sent: Date; outcome: string | null; cost: number | null; reported?: number; accepted?: true; ended?: Date }

async function attempt({ sent, outcome, cost, reported, accepted, ended }: Attempted): Promise<void> {
  attempts += 1
  const orderId = newId()
  await sql`
    insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, created_at, outcome, answered_at, expected_cost)
    values (${orderId}, 1, ${supplier}, ${`out-${attempts}`}, ${sent}, ${sent}, ${outcome}, ${ended ?? sent}, ${cost})`.execute(
    database.db,
  )
  const said = [...(accepted ? ['accepted'] : []), ...(outcome === null ? [] : [outcome])]
  for (const answer of said) {
    await sql`
      insert into attempt_answers (order_id, attempt_no, source, answer, evidence, reported_cost)
      values (${orderId}, 1, 'send', ${answer}, '', ${reported ?? null})`.execute(database.db)
  }
}

const topUp = (amount: number, movedAt: Date) =>
  inTransaction(database.db, (tx) =>
    recordFloatMovement(tx, { supplier, amountPesewas: pesewas(amount), note: 'transfer 77', movedAt, actor: 'ama' }),
  )
const compare = async () => (await compareFloats(database.db, supplier, [day]))[0]

describe('the float of a day', () => {
  it('moves by what orders cost, by refunds of failed ones, and by top-ups', async () => {
    await read(at(-1), 100_000)
    await attempt({ sent: at(1), outcome: 'delivered', cost: 2_000 })
    await attempt({ sent: at(2), outcome: 'delivered', cost: 2_000, reported: 1_950 })
    await attempt({ sent: at(3), outcome: 'accepted', cost: 500 })
    await attempt({ sent: at(4), outcome: 'failed', cost: 700, accepted: true, ended: at(5) })
    await attempt({ sent: at(4), outcome: 'rejected_recipient', cost: 900 })
    await attempt({ sent: at(-9), outcome: 'failed', cost: 300, accepted: true, ended: at(6) })
    await topUp(50_000, at(7))
    await read(at(23), 100_000 - 2_000 - 1_950 - 500 + 300 + 50_000)
    expect(await compare()).toMatchObject({
      day: '2026-07-30',
      opening: { at: at(-1), floatPesewas: 100_000 },
      closing: { at: at(23) },
      costs: 2_000 + 1_950 + 500 + 700,
      refunds: 1_000,
      topUps: 50_000,
      drift: 0,
    })
  })

  it('that moved otherwise drifts by the difference, below or above', async () => {
    await read(at(0), 100_000)
    await attempt({ sent: at(1), outcome: 'delivered', cost: 2_000 })
    await read(at(12), 97_300)
    expect(await compare()).toMatchObject({ costs: 2_000, drift: -700 })
    await read(at(23), 98_001)
    expect(await compare()).toMatchObject({ drift: 1 })
  })

  it('may be lower by orders of which nobody knows, and no lower', async () => {
    await read(at(0), 100_000)
    await attempt({ sent: at(1), outcome: 'unknown', cost: 2_000 })
    await attempt({ sent: at(1), outcome: null, cost: 500 })
    await attempt({ sent: at(1), outcome: 'delivered', cost: null })
    await read(at(10), 97_500)
    expect(await compare()).toMatchObject({ inDoubt: 2_500, withoutCost: 1, drift: 0 })
    await read(at(11), 97_400)
    expect(await compare()).toMatchObject({ drift: -100 })
  })

  it('may miss orders that were on their way while it was read, at either end', async () => {
    const halfAMinute = hour / 120
    await attempt({ sent: new Date(at(0).getTime() - halfAMinute), outcome: 'delivered', cost: 300 })
    await read(at(0), 100_000)
    await attempt({ sent: new Date(at(23).getTime() - halfAMinute), outcome: 'delivered', cost: 200 })
    await read(at(23), 100_000)
    expect(await compare()).toMatchObject({ drift: 0 })
    await sql`update supplier_float_reads set float_pesewas = ${100_000 - 500} where supplier = ${supplier} and read_at = ${at(23)}`.execute(
      database.ownerDb,
    )
    expect(await compare()).toMatchObject({ drift: 0 })
    await sql`update supplier_float_reads set float_pesewas = ${100_000 - 501} where supplier = ${supplier} and read_at = ${at(23)}`.execute(
      database.ownerDb,
    )
    expect(await compare()).toMatchObject({ drift: -1 })
  })

  it('begins where the day before ended, so that nothing is between two days', async () => {
    await read(at(-2), 100_000)
    await read(at(-1), 99_000)
    await read(at(22), 98_000)
    await read(at(46), 98_000)
    await attempt({ sent: at(-1.5), outcome: 'delivered', cost: 1_000 })
    await attempt({ sent: at(-0.5), outcome: 'delivered', cost: 1_000 })
    const days = await compareFloats(database.db, supplier, daysBetween(at(-3), at(25)))
    expect(days.map(({ day: name, costs, drift }) => [name, costs, drift])).toEqual([
      ['2026-07-29', 1_000, 0],
      ['2026-07-30', 1_000, 0],
      ['2026-07-31', 0, 0],
    ])
    expect(days[1]?.closing).toEqual(days[2]?.opening)
  })

  it('that was not read twice says so, and drifts by nothing', async () => {
    expect(await compare()).toMatchObject({ opening: null, closing: null, drift: 0 })
    await read(at(5), 100_000)
    expect(await compare()).toMatchObject({ opening: null, closing: null, drift: 0 })
  })
})

describe('the watch', () => {
  const look = () => watchFloatDrift(database.db, { read: (setting) => readSetting(database.db, setting) }, log)
  const alarms = () =>
    database.db
      .selectFrom('alarms')
      .select(['name', 'subject', 'message'])
      .where('cleared_at', 'is', null)
      .where('subject', 'like', `${supplier} %`)
      .execute()

  it('raises an alarm above the setting’s tolerance, and clears it when the movement is noted', async () => {
    const midnight = Math.floor(Date.now() / (24 * hour)) * 24 * hour
    const yesterday = (hours: number) => new Date(midnight + (hours - 24) * hour)
    await read(yesterday(0), 100_000)
    await read(yesterday(20), 99_300)
    await writeSetting(database.db, floatDriftTolerance, 7, 'ama')
    await look()
    expect(await alarms()).toEqual([])
    await writeSetting(database.db, floatDriftTolerance, 6.99, 'ama')
    await look()
    expect(await alarms()).toMatchObject([
      {
        name: 'float_drift',
        subject: `${supplier} ${yesterday(0).toISOString().slice(0, 10)}`,
        message: expect.stringContaining('GHS 7.00 less than expected'),
      },
    ])
    await look()
    expect(await alarms()).toHaveLength(1)
    await topUp(-700, yesterday(10))
    await look()
    expect(await alarms()).toEqual([])
  })
})

describe('reads of floats', () => {
  const supplierOf = (answer: FloatAnswer) => {
    const answering = { name: supplier, readFloat: () => Promise.resolve(answer) } as unknown as Supplier
    return { db: database.db, registry: { find: (name: string) => (name === supplier ? answering : undefined) } }
  }
  const kept = async () =>
    (
      await database.db
        .selectFrom('supplier_float_reads')
        .select('float_pesewas')
        .where('supplier', '=', supplier)
        .orderBy('read_at')
        .execute()
    ).map((row) => row.float_pesewas)

  it('are made of suppliers that were not read lately, and kept once per interval', async () => {
    const said = supplierOf({ meaning: 'read', floatPesewas: pesewas(5_000) })
    expect(await readDueFloats(said)).toEqual([supplier])
    expect(await readDueFloats(said)).toEqual([])
    expect(await kept()).toEqual([5_000])
    await sql`update supplier_float_reads set read_at = now() - interval '31 minutes' where supplier = ${supplier}`.execute(
      database.ownerDb,
    )
    expect(await readDueFloats(said)).toEqual([supplier])
    expect(await kept()).toEqual([5_000, 5_000])
  })

  it('that say nothing are not kept, and are tried again', async () => {
    const silent = supplierOf({ meaning: 'unknown', evidence: 'no answer' })
    expect(await readDueFloats(silent)).toEqual([supplier])
    expect(await readDueFloats(silent)).toEqual([supplier])
    expect(await kept()).toEqual([])
  })
})

it('a movement of a float is noted for a supplier that there is, and not for the future', async () => {
  const note = (name: string, movedAt: Date) =>
    inTransaction(database.db, (tx) =>
      recordFloatMovement(tx, { supplier: name, amountPesewas: pesewas(100), note: 'n', movedAt, actor: 'ama' }),
    )
  await expect(note('nobody', new Date())).rejects.toThrow(FloatMovementError)
  await expect(note(supplier, new Date(Date.now() + hour))).rejects.toThrow('still to come')
})
