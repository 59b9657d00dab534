import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { readWithinASecond } from '../../../test/within-a-second.ts'
import { type Epoch, watchEpoch } from '../database/epoch.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { cancelSettingReturn } from './cancel-setting-return.ts'
import { listSettings } from './list-settings.ts'
import { returnDueSettings } from './return-due-settings.ts'
import { type ChangeTerms, listSettingReturns } from './setting-returns.ts'
import { defineChoice, defineGhsAmount, defineGhsBounds, defineSwitch } from './setting-schemas.ts'
import { defineSetting, openSettings, readSetting, type Setting, type Settings, writeSetting } from './settings.ts'

const gate = defineSwitch('test_gate', false, 'A switch.')
const mode = defineChoice('test_mode', ['enforce', 'hint'], 'enforce', 'A choice.')
const amount = defineGhsAmount('test_amount', 1, 'An amount.')
const bounds = defineGhsBounds(['test_min', 1, 'The least.'], ['test_max', 100, 'The most.'])
const nothing = defineSetting({
  name: 'test_nothing',
  schema: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  defaultValue: null,
  allowed: 'a whole number from 1, or null',
  help: 'A bound or none.',
})

const keep = (name: string, terms: { actor: string; reason?: string }) =>
  inTransaction(database.db, (tx) => cancelSettingReturn(tx, name, terms))

let database: TestDatabase
let here: { epoch: Epoch; settings: Settings }
let elsewhere: { epoch: Epoch; settings: Settings }

async function openProcess() {
  const epoch = await watchEpoch(database.db)
  return { epoch, settings: openSettings(database.db, epoch) }
}

beforeAll(async () => {
  database = await createTestDatabase()
  here = await openProcess()
  elsewhere = await openProcess()
})
afterAll(async () => {
  here.epoch.stop()
  elsewhere.epoch.stop()
  await database.drop()
})

describe('a setting', () => {
  it('has its default until the operator sets it, then the operator’s value on every process within a second', async () => {
    expect(await here.settings.read(gate)).toBe(false)
    expect(await elsewhere.settings.read(gate)).toBe(false)
    await writeSetting(database.db, gate, true, 'ama')
    expect(await readWithinASecond(true, () => elsewhere.settings.read(gate))).toBe(true)
    expect(await readWithinASecond(true, () => here.settings.read(gate))).toBe(true)
    expect(await readSetting(database.db, gate)).toBe(true)
  })

  it('is in memory once read, and no longer when the epoch is not trusted', async () => {
    let isTrusted = true
    const epoch: Epoch = { ...here.epoch, current: () => (isTrusted ? { epoch: 1, catalogueVersion: 1 } : undefined) }
    const settings = openSettings(database.db, epoch)
    expect(settings.peek(nothing)).toBeUndefined()
    expect(await settings.read(nothing)).toBeNull()
    expect(settings.peek(nothing)).toBeNull()
    isTrusted = false
    expect(settings.peek(nothing)).toBeUndefined()
    expect(await settings.read(nothing)).toBeNull()
  })

  it.each([
    [gate, 'yes', 'test_gate must be true or false; "yes" is not.'],
    [gate, 1, 'test_gate must be true or false; 1 is not.'],
    [mode, 'Hint', 'test_mode must be one of enforce, hint; "Hint" is not.'],
    [amount, 1.005, 'test_amount must be an amount in GHS between 0.01 and 1000000 with at most 2 decimals'],
    [amount, -1, 'test_amount must be an amount in GHS'],
    [amount, '5', 'test_amount must be an amount in GHS'],
    [nothing, 0, 'test_nothing must be a whole number from 1, or null; 0 is not.'],
  ])('refuses what it does not allow and says what it does: %o', async (setting, value, text) => {
    const before = await readSetting<unknown>(database.db, setting)
    await expect(writeSetting<unknown>(database.db, setting, value, 'ama')).rejects.toThrow(text)
    expect(await readSetting<unknown>(database.db, setting)).toEqual(before)
  })

  it.each([0.29, 1, 1.1, 100.07, 999_999.99])('takes the amount %d exactly', async (value) => {
    await writeSetting(database.db, amount, value, 'ama')
    expect(await readSetting(database.db, amount)).toBe(value)
  })

  it('is refused at definition when its own default is not allowed', () => {
    expect(() => defineGhsAmount('test_wrong', 0, 'Wrong.')).toThrow('test_wrong must be')
  })

  it('written past the command line with a value it does not allow is an error, not a default', async () => {
    await database.db.insertInto('settings').values({ name: 'test_mode', value: '"off"', updated_by: 'sql' }).execute()
    await expect(readSetting(database.db, mode)).rejects.toThrow('test_mode must be one of enforce, hint; "off" is not.')
    await writeSetting(database.db, mode, 'hint', 'ama')
    expect(await readSetting(database.db, mode)).toBe('hint')
  })

  it('leaves who changed it from what to what in the operator’s log', async () => {
    await writeSetting(database.db, nothing, 5, 'esi')
    const line = await database.db
      .selectFrom('operator_log')
      .select(['actor', 'action', 'details'])
      .where('subject', '=', 'test_nothing')
      .executeTakeFirstOrThrow()
    expect(line).toEqual({ actor: 'esi', action: 'setting set', details: { before: null, after: 5 } })
  })
})

describe('two settings that bound one amount', () => {
  const write = (setting: typeof bounds.minimum, value: number) => writeSetting(database.db, setting, value, 'ama')

  it('may be equal, and neither may pass the other, whichever is set', async () => {
    await expect(write(bounds.maximum, 0.5)).rejects.toThrow(
      'test_max must not be below test_min: 0.5 is below 1. Change test_min first.',
    )
    await expect(write(bounds.minimum, 100.01)).rejects.toThrow(
      'test_min must not be above test_max: 100.01 is above 100. Change test_max first.',
    )
    await write(bounds.minimum, 100)
    await expect(write(bounds.maximum, 99.99)).rejects.toThrow('test_max must not be below test_min: 99.99 is below 100.')
    expect([await readSetting(database.db, bounds.minimum), await readSetting(database.db, bounds.maximum)]).toEqual([100, 100])
  })

  it('cannot both be set at one time to what contradicts', async () => {
    await write(bounds.minimum, 1)
    const both = await Promise.allSettled([write(bounds.minimum, 60), write(bounds.maximum, 50)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const least = await readSetting(database.db, bounds.minimum)
    expect(await readSetting(database.db, bounds.maximum)).toBeGreaterThanOrEqual(least)
  })
})

describe('a setting that is changed for a time', () => {
  const known = [gate, mode, amount, bounds.minimum, bounds.maximum, nothing]
  const later = (seconds = 3_600) => new Date(Date.now() + seconds * 1_000)
  const change = <T>(setting: Setting<T>, value: T, terms: ChangeTerms, actor = 'ama') =>
    writeSetting(database.db, setting, value, actor, terms)
  const waiting = async () => (await listSettingReturns(database.db)).map(({ name, returnsTo }) => [name, returnsTo])
  const pass = () => sql`update setting_returns set returns_at = now() where ended_at is null`.execute(database.db)
  const linesOf = (name: string) =>
    database.db
      .selectFrom('operator_log')
      .select(['actor', 'action', 'details'])
      .where('subject', '=', name)
      .where('action', '!=', 'setting set')
      .orderBy('id')
      .execute()
  const stored = (name: string) => database.db.selectFrom('settings').select('value').where('name', '=', name).execute()

  it('returns to its value of before at its moment and not earlier, once, however many workers look', async () => {
    await writeSetting(database.db, mode, 'enforce', 'ama')
    await change(mode, 'hint', { reason: 'a carrier is away', returnsAt: later() })
    await returnDueSettings(database.db, known)
    expect(await readSetting(database.db, mode)).toBe('hint')
    await pass()
    await Promise.all(Array.from({ length: 6 }, () => returnDueSettings(database.db, known)))
    expect(await readWithinASecond('enforce', () => elsewhere.settings.read(mode))).toBe('enforce')
    expect(await linesOf('test_mode')).toEqual([
      {
        actor: 'worker',
        action: 'setting return',
        details: expect.objectContaining({ before: 'hint', after: 'enforce', reason: 'Returned by itself.', changed_by: 'ama' }),
      },
    ])
    const [listed] = await listSettings(database.db, [mode])
    expect(listed).toMatchObject({ value: 'enforce', returns: undefined, lastChange: { isByItself: true, before: 'hint' } })
  })

  it('has its default again if nobody had set a value, null included', async () => {
    await sql`delete from settings where name in ('test_gate', 'test_nothing')`.execute(database.db)
    await change(gate, true, { returnsAt: later() })
    await change(nothing, 7, { returnsAt: later() })
    await pass()
    await returnDueSettings(database.db, known)
    expect([...(await stored('test_gate')), ...(await stored('test_nothing'))]).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('stays as a person sets it meanwhile; a second change for a time returns to the value before both', async () => {
    await writeSetting(database.db, amount, 10, 'ama')
    await change(amount, 20, { returnsAt: later() })
    await change(amount, 30, { returnsAt: later(7_200) }, 'kofi')
    expect(await waiting()).toEqual([['test_amount', 10]])
    await expect(change(amount, 10, { returnsAt: later() })).rejects.toThrow('would return to the value that it has then')
    expect(await readSetting(database.db, amount)).toBe(30)
    await change(amount, 40, {}, 'esi')
    expect(await waiting()).toEqual([])
    await pass()
    await returnDueSettings(database.db, known)
    expect(await readSetting(database.db, amount)).toBe(40)
  })

  it('keeps its value when somebody cancels the return, and when an older process changed it unseen', async () => {
    await change(amount, 50, { returnsAt: later() })
    await keep('test_amount', { actor: 'esi', reason: 'for good' })
    await expect(keep('test_amount', { actor: 'esi' })).rejects.toThrow('does not switch back')
    expect(await linesOf('test_amount')).toMatchObject([
      { actor: 'esi', action: 'setting keep', details: { reason: 'for good' } },
    ])
    await change(amount, 60, { returnsAt: later() })
    await sql`update settings set value = '61' where name = 'test_amount'`.execute(database.db)
    await pass()
    await returnDueSettings(database.db, known)
    expect(await readSetting(database.db, amount)).toBe(61)
    expect(await waiting()).toEqual([])
  })

  it('is refused a moment that is past, too far ahead, or has nothing to return to', async () => {
    await writeSetting(database.db, amount, 1, 'ama')
    await expect(change(amount, 2, { returnsAt: later(-1) })).rejects.toThrow('must be in the future')
    await expect(change(amount, 2, { returnsAt: later(370 * 86_400) })).rejects.toThrow('within a year')
    await expect(change(amount, 1, { returnsAt: later() })).rejects.toThrow('would return to the value that it has then')
    expect(await readSetting(database.db, amount)).toBe(1)
  })

  it('returns together with the bound that it needs, and says what stands in its way otherwise, until that is gone', async () => {
    await writeSetting(database.db, bounds.maximum, 100, 'ama')
    await writeSetting(database.db, bounds.minimum, 50, 'ama')
    await change(bounds.minimum, 1, { returnsAt: later() })
    await change(bounds.maximum, 20, { returnsAt: later(7_200) })
    await sql`update setting_returns set returns_at = now() where name = 'test_min' and ended_at is null`.execute(database.db)
    await returnDueSettings(database.db, known)
    const [refused] = await listSettingReturns(database.db)
    expect(refused).toMatchObject({ name: 'test_min', refusedBecause: expect.stringContaining('must not be above test_max') })
    await sql`update setting_returns set returns_at = now(), tried_at = null where ended_at is null`.execute(database.db)
    await returnDueSettings(database.db, known)
    expect([await readSetting(database.db, bounds.minimum), await readSetting(database.db, bounds.maximum)]).toEqual([50, 100])
  })
})
