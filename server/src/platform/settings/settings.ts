import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import type { Db, Tx } from '../database/database.ts'
import { type Epoch, raiseEpoch, shareRecentLoads } from '../database/epoch.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../operator-request-error.ts'
import { type ChangeTerms, replaceSettingReturn } from './setting-returns.ts'

/** A setting of the operator, by its name in the database and on the command line. */
export type Setting<T = unknown> = {
  readonly name: string
  readonly schema: TSchema
  /** The value while the operator has set none. */
  readonly defaultValue: T
  /** The rule for values, in words that follow "must be". */
  readonly allowed: string
  /** One sentence about its effect. */
  readonly help: string
  /** The unit of a number: `GHS`, `days`. */
  readonly unit?: string
  /** `notAbove`: the value must not be above that setting's value. `notBelow`: it must not be below it. */
  readonly notAbove?: Setting<number>
  readonly notBelow?: Setting<number>
  /**
   * For a setting that guards money or rights: true when a change loosens it. Such a change takes two people.
   * @param isLive true when the money is real
   */
  loosens?(before: T, after: T, isLive: boolean): boolean
}

/** A value that a setting does not allow. The message names the setting and its rule. */
export class SettingValueError extends OperatorRequestError {
  override readonly name = 'SettingValueError'
  override readonly isWrongValue = true
}

/**
 * @throws SettingValueError when the default itself is not allowed, so that a process with a wrong definition does not start
 */
export function defineSetting<const S extends TSchema>(definition: {
  name: string
  schema: S
  defaultValue: Static<S>
  allowed: string
  help: string
  unit?: string
  loosens?: (before: Static<S>, after: Static<S>, isLive: boolean) => boolean
}): Setting<Static<S>> {
  checkSettingValue(definition, definition.defaultValue)
  return definition
}

/** @throws SettingValueError when the setting does not allow `value` */
export function checkSettingValue(setting: Setting, value: unknown): void {
  if (Value.Check(setting.schema, value)) return
  throw new SettingValueError(`${setting.name} must be ${setting.allowed}; ${JSON.stringify(value)} is not.`)
}

/** Reads the operator's settings, in every process. */
export type Settings = {
  /** Reads the value from this process's cache, or from the database when nothing is cached for a trusted epoch. */
  read<T>(setting: Setting<T>): Promise<T>
  /** The cached value of a setting, without waiting; undefined when nothing is cached for a trusted epoch. */
  peek<T>(setting: Setting<T>): T | undefined
}

type Values = ReadonlyMap<string, unknown>

async function loadValues(db: Db): Promise<Values> {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
  return new Map(rows.map((row) => [row.name, row.value]))
}

/** Checks a value also when it was written straight into the database: a wrong value must not look like a valid one. */
function valueOf<T>(values: Values, setting: Setting<T>): T {
  if (!values.has(setting.name)) return setting.defaultValue
  const value = values.get(setting.name)
  checkSettingValue(setting, value)
  return value as T
}

/** Reads one setting straight from the database, for one-shot commands and transactions. */
export async function readSetting<T>(db: Db | Tx, setting: Setting<T>): Promise<T> {
  return valueOf(await loadValues(db), setting)
}

/**
 * Opens the settings of a process. All rows are kept in memory until the epoch changes, so that requests need no query.
 * Every process sees a change as soon as it sees the new epoch (decision S11).
 */
export function openSettings(db: Db, epoch: Pick<Epoch, 'current'>): Settings {
  let held: { readonly epoch: number; readonly values: Values; readonly checked: Map<Setting, unknown> } | undefined
  let loading: { readonly epoch: number; readonly values: Promise<Values> } | undefined

  function heldValues(): typeof held {
    const current = epoch.current()
    return current && held?.epoch === current.epoch ? held : undefined
  }

  const loadUntrusted = shareRecentLoads(() => loadValues(db))

  async function load(): Promise<Values> {
    const current = epoch.current()
    if (!current) return loadUntrusted('')
    if (loading?.epoch !== current.epoch) loading = { epoch: current.epoch, values: loadValues(db) }
    const mine = loading
    try {
      const values = await mine.values
      // The load began under this epoch, so its rows are not older than the epoch they are kept for.
      if (loading === mine) held = { epoch: mine.epoch, values, checked: new Map() }
      return values
    } finally {
      if (loading === mine) loading = undefined
    }
  }

  function peek<T>(setting: Setting<T>): T | undefined {
    const known = heldValues()
    if (!known) return undefined
    if (!known.checked.has(setting)) known.checked.set(setting, valueOf(known.values, setting))
    return known.checked.get(setting) as T
  }

  return {
    peek,
    read: async (setting) => {
      const known = peek(setting)
      return known === undefined ? valueOf(await load(), setting) : known
    },
  }
}

/** If the smallest amount were above the largest, every purchase would be refused. */
async function refuseContradiction(tx: Tx, setting: Setting, value: unknown): Promise<void> {
  for (const [other, word, sign] of [
    [setting.notAbove, 'above', 1],
    [setting.notBelow, 'below', -1],
  ] as const) {
    if (!other) continue
    const bound = await readSetting(tx, other)
    if ((Number(value) - bound) * sign <= 0) continue
    throw new SettingValueError(
      `${setting.name} must not be ${word} ${other.name}: ${String(value)} is ${word} ${bound}. Change ${other.name} first.`,
    )
  }
}

/**
 * Writes a value in a transaction that has raised the epoch. Without `next`, the setting has its default again.
 *
 * @returns the value before, and whether that was the default
 * @throws SettingValueError when the setting does not allow the value, or another setting contradicts it
 */
export async function putSetting(
  tx: Tx,
  setting: Setting,
  next: { readonly value: unknown } | undefined,
  actor: string,
): Promise<{ before: unknown; wasDefault: boolean }> {
  const { name } = setting
  const value = next ? next.value : setting.defaultValue
  checkSettingValue(setting, value)
  await refuseContradiction(tx, setting, value)
  const row = await tx.selectFrom('settings').select('value').where('name', '=', name).forUpdate().executeTakeFirst()
  if (next) {
    const text = JSON.stringify(value)
    await tx
      .insertInto('settings')
      .values({ name, value: text, updated_by: actor })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text, updated_by: actor, updated_at: sql`now()` }))
      .execute()
  } else await tx.deleteFrom('settings').where('name', '=', name).execute()
  return { before: row ? row.value : setting.defaultValue, wasDefault: !row }
}

/**
 * Sets a value for all processes at once, for good or for a time, and records the actor. A waiting return of the setting is
 * cancelled.
 *
 * @throws SettingValueError when the setting does not allow the value, or another setting contradicts it
 * @throws SettingReturnError when it cannot return at the time in `terms`
 */
export async function writeSetting<T>(
  db: Db,
  setting: Setting<T>,
  value: T,
  actor: string,
  terms: ChangeTerms = {},
): Promise<void> {
  checkSettingValue(setting, value)
  await inTransaction(db, (tx) => writeSettingIn(tx, setting, value, actor, terms))
}

export async function writeSettingIn(
  tx: Tx,
  setting: Setting,
  value: unknown,
  actor: string,
  terms: ChangeTerms & { readonly looseningId?: string },
): Promise<void> {
  const { name } = setting
  // The epoch is raised first. Its single row lets only one change at a time pass, so two bounds that are set at the
  // same moment are checked against each other.
  await raiseEpoch(tx)
  const { before, wasDefault } = await putSetting(tx, setting, { value }, actor)
  const returning = await replaceSettingReturn(tx, { name, before, wasDefault, value, actor }, terms)
  const { reason, looseningId } = terms
  const details = {
    before,
    after: value,
    ...(reason !== undefined && { reason }),
    ...returning,
    ...(looseningId !== undefined && { loosening_id: looseningId }),
  }
  await appendOperatorLog(tx, { actor, action: 'setting set', subject: name, details })
}
