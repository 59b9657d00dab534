import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import type { Pesewas } from '../../../money/pesewas.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { WantedPackage } from '../catalogue/plan-packages.ts'
import { writePackages } from '../catalogue/write-packages.ts'
import { applyEdit } from '../edits/apply-edit.ts'
import type { PackageEdit } from '../edits/package-edit.ts'
import { previewEdit } from '../edits/preview-edit.ts'
import { readPackages } from '../stored-packages.ts'
import { carryOutDuePrices, carryOutHeldPrices } from './carry-out-prices.ts'
import { listPriceSets, readPriceSet } from './list-price-sets.ts'
import { cancelPriceSet, changePriceSet, makePriceSet } from './write-price-set.ts'

let database: TestDatabase
const log = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.insertInto('suppliers').values({ name: 'north', adapter: 'hubtel', settings: '{}' }).execute()
})
afterAll(() => database.drop())

const offer = (cost: number) => new Map([['north', { code: 'a', costPesewas: cost as Pesewas }]])
const wanted = (volumeGb: number, price: number): WantedPackage => ({
  network: 'MTN',
  volumeGb,
  priceCustomer: price as Pesewas,
  priceAgent: (price - 20) as Pesewas,
  priceDealer: (price - 40) as Pesewas,
  offers: offer(price - 100),
})

beforeEach(async () => {
  await sql`
    truncate scheduled_prices, scheduled_price_sets, package_offers, packages, package_changes;
    update alarms set cleared_at = now() where cleared_at is null`.execute(database.ownerDb)
  await inTransaction(database.db, (tx) => writePackages(tx, [wanted(1, 500), wanted(2, 900)], { isBelowCostAllowed: false }))
})

const cells = (volumeGb: number, prices: Record<string, number>): PackageEdit => ({
  kind: 'cells',
  packages: [{ network: 'MTN', volumeGb, prices: prices, offers: new Map() }],
})

/** A whole minute, this many minutes ahead. */
const minutesAhead = (minutes: number) => new Date((Math.ceil(Date.now() / 60_000) + minutes) * 60_000)

const schedule = async (edit: PackageEdit, minutes: number, more: object = {}) =>
  (
    await makePriceSet(database.db, {
      edit,
      effectiveAt: minutesAhead(minutes),
      isBelowCostAllowed: false,
      actor: 'ama',
      ...more,
    })
  ).setId

/** Makes these sets due this many minutes ago, in their order. */
async function letCome(minutesAgo: number, ...setIds: string[]): Promise<void> {
  for (const [index, id] of setIds.entries()) {
    await sql`
      update scheduled_price_sets
      set effective_at = date_trunc('minute', now()) - make_interval(mins => ${minutesAgo - index}) where id = ${id}`.execute(
      database.ownerDb,
    )
  }
}

const priceOf = async (volumeGb: number) => (await readPackages(database.db)).get(`MTN ${volumeGb}GB`)
const stateOf = async (setId: string) => (await readPriceSet(database.db, setId))?.set
const alarms = () => database.db.selectFrom('alarms').select(['name', 'subject']).where('cleared_at', 'is', null).execute()
const historyOf = async (volumeGb: number) => {
  const id = (await priceOf(volumeGb))?.id ?? ''
  return database.db.selectFrom('package_changes').select(['actor', 'action', 'columns']).where('package_id', '=', id).execute()
}

async function change(edit: PackageEdit): Promise<void> {
  const { seen } = await previewEdit(database.db, edit, await readPackages(database.db))
  await applyEdit(database.db, edit, { seen, isBelowCostAllowed: false, actor: 'kofi' })
}

describe('scheduled prices', () => {
  it('come into force once at their minute, however many workers look, and with nobody else’s prices', async () => {
    const set = await schedule(cells(1, { customer: 550 }), 5)
    await carryOutDuePrices(database.db, log)
    expect(await priceOf(1)).toMatchObject({ priceCustomer: 500 })
    await letCome(0, set)
    await change(cells(1, { agent: 490 }))
    await Promise.all(Array.from({ length: 4 }, () => carryOutDuePrices(database.db, log)))
    expect(await priceOf(1)).toMatchObject({ priceCustomer: 550, priceAgent: 490, priceDealer: 460 })
    expect(await priceOf(2)).toMatchObject({ priceCustomer: 900 })
    expect(await stateOf(set)).toMatchObject({ state: 'done', ended_by: 'worker', clashes: 0 })
    expect(await historyOf(1)).toEqual([
      { actor: 'kofi', action: 'packages edit', columns: { price_agent: { before: 4.8, after: 4.9 } } },
      { actor: 'ama', action: 'packages schedule carry-out', columns: { price_customer: { before: 5, after: 5.5 } } },
    ])
    const line = await database.db.selectFrom('operator_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      actor: 'worker',
      action: 'packages schedule carry-out',
      subject: set,
      details: {
        scheduled_by: 'ama',
        before: { 'MTN 1GB': { price_customer: 5 } },
        after: { 'MTN 1GB': { price_customer: 5.5 } },
      },
    })
    expect(await alarms()).toEqual([])
  })

  it('come into force at once and with an alarm when no worker ran at their minute', async () => {
    const first = await schedule(cells(1, { customer: 550 }), 5)
    const second = await schedule(cells(1, { customer: 600 }), 6)
    await letCome(10, first, second)
    await carryOutDuePrices(database.db, log)
    expect(await priceOf(1)).toMatchObject({ priceCustomer: 600 })
    expect(await alarms()).toEqual([first, second].map((subject) => ({ name: 'scheduled_prices_late', subject })))
  })

  it('are held whole, with an alarm, when somebody changed one of the prices since; a person decides', async () => {
    const both: PackageEdit = {
      kind: 'shift',
      of: 'all',
      roles: ['customer'],
      shift: { by: { basisPoints: 1_000 }, roundTo: 5 },
    }
    const set = await schedule(both, 5)
    await change(cells(1, { customer: 520 }))
    expect(await stateOf(set)).toMatchObject({ state: 'waiting', clashes: 1 })
    await letCome(0, set)
    await carryOutDuePrices(database.db, log)
    expect(await priceOf(2)).toMatchObject({ priceCustomer: 900 })
    expect(await stateOf(set)).toMatchObject({
      state: 'held',
      held_because: 'the customer price of MTN 1GB was GHS 5.00 when this was scheduled and is GHS 5.20 now',
    })
    expect(await alarms()).toEqual([{ name: 'scheduled_prices_held', subject: set }])
    const esi = { actor: 'esi', isBelowCostAllowed: false }
    const shown = (await readPriceSet(database.db, set))?.seen
    await change(cells(1, { customer: 530 }))
    await expect(carryOutHeldPrices(database.db, set, { ...esi, seen: shown })).rejects.toThrow(
      'has changed since this was shown',
    )
    expect(await priceOf(1)).toMatchObject({ priceCustomer: 530 })
    await carryOutHeldPrices(database.db, set, { ...esi, seen: (await readPriceSet(database.db, set))?.seen })
    expect([await priceOf(1), await priceOf(2)]).toMatchObject([{ priceCustomer: 550 }, { priceCustomer: 990 }])
    expect(await alarms()).toEqual([])
    await expect(cancelPriceSet(database.db, set, { actor: 'esi' })).rejects.toThrow('carried out already')
  })

  it('are held when they would sell at a loss that nobody allowed, such as after a cost went up', async () => {
    const set = await schedule(cells(1, { dealer: 410 }), 5)
    await change({ kind: 'cells', packages: [{ network: 'MTN', volumeGb: 1, prices: {}, offers: offer(450) }] })
    await letCome(0, set)
    await carryOutDuePrices(database.db, log)
    expect(await stateOf(set)).toMatchObject({ state: 'held', held_because: expect.stringContaining('below what north asks') })
    await expect(carryOutHeldPrices(database.db, set, { actor: 'esi', isBelowCostAllowed: false })).rejects.toThrow('below what')
    await carryOutHeldPrices(database.db, set, { actor: 'esi', isBelowCostAllowed: true, reason: 'a promise' })
    expect(await priceOf(1)).toMatchObject({ priceDealer: 410 })
  })

  it('expect what earlier ones make of a price, also after those are put in, moved or cancelled', async () => {
    const expected = async (set: string) =>
      (await readPriceSet(database.db, set))?.prices.map(({ before, after }) => [before, after])
    const last = await schedule(cells(1, { customer: 600 }), 30)
    const first = await schedule(cells(1, { customer: 550 }), 10)
    expect([await expected(first), await expected(last)]).toEqual([[[500, 550]], [[550, 600]]])
    const middle = await schedule(
      { kind: 'shift', of: 'all', roles: ['customer'], shift: { by: { basisPoints: 1_000 }, roundTo: 1 } },
      20,
    )
    expect(await expected(middle)).toEqual([
      [550, 605],
      [900, 990],
    ])
    expect(await expected(last)).toEqual([[605, 600]])
    const moved = { edit: cells(1, { customer: 550 }), effectiveAt: minutesAhead(40), isBelowCostAllowed: false, actor: 'ama' }
    await changePriceSet(database.db, first, moved)
    expect([await expected(middle), await expected(last), await expected(first)]).toMatchObject([
      [
        [500, 605],
        [900, 990],
      ],
      [[605, 600]],
      [[600, 550]],
    ])
    await cancelPriceSet(database.db, middle, { actor: 'ama', reason: 'no' })
    expect(await expected(last)).toEqual([[500, 600]])
    const { sets } = await listPriceSets(database.db, { states: ['waiting'] })
    expect(sets.map(({ id, prices, clashes }) => [id, prices, clashes])).toEqual([
      [first, 1, 0],
      [last, 1, 0],
    ])
  })

  it('are refused for a minute that is over, for what is no price, and when the list is not as it was shown', async () => {
    const shown = await previewEdit(database.db, cells(1, { customer: 550 }), await readPackages(database.db))
    await expect(schedule(cells(1, { customer: 550 }), -5)).rejects.toThrow('This minute is over')
    const off: PackageEdit = {
      kind: 'cells',
      packages: [{ network: 'MTN', volumeGb: 1, prices: {}, isAvailable: false, offers: new Map() }],
    }
    await expect(schedule(off, 5)).rejects.toThrow('only prices of packages can be scheduled, not: MTN 1GB: is_available')
    await expect(schedule(cells(1, { customer: 390 }), 5)).rejects.toThrow('is below what north asks')
    await expect(schedule(cells(1, { customer: 390 }), 5, { isBelowCostAllowed: true })).rejects.toThrow('need a reason')
    await change(cells(1, { customer: 510 }))
    await expect(schedule(cells(1, { customer: 550 }), 5, { seen: shown.seen })).rejects.toThrow('has changed since')
    expect((await listPriceSets(database.db, { states: ['waiting'] })).sets).toEqual([])
  })
})
