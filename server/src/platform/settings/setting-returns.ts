import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { OperatorRequestError } from '../operator-request-error.ts'

/** The reason of a change of a setting, and the time of its return. */
export type ChangeTerms = {
  /** The reason, for the operator's log. */
  readonly reason?: string | undefined
  /** The time at which the setting returns to its earlier value. */
  readonly returnsAt?: Date | undefined
}

/** A return that waits for its time. If the earlier value is refused then, the return keeps waiting and is tried again. */
export type SettingReturn = {
  readonly id: string
  readonly name: string
  readonly value: unknown
  readonly returnsTo: unknown
  readonly isToDefault: boolean
  readonly returnsAt: Date
  readonly reason: string | null
  readonly madeBy: string
  readonly madeAt: Date
  readonly refusedBecause: string | null
}

/** A return that cannot be arranged, cancelled or carried out. The message is for the operator's people. */
export class SettingReturnError extends OperatorRequestError {
  override readonly name = 'SettingReturnError'
}

/** A return more than this many days ahead is refused: such a change is meant to be permanent. */
const longestDays = 366

type Row = {
  id: string
  name: string
  value: unknown
  returns_to: unknown
  is_to_default: boolean
  returns_at: Date
  reason: string | null
  made_by: string
  made_at: Date
  refused_because: string | null
}

const returnOf = (row: Row): SettingReturn => ({
  id: row.id,
  name: row.name,
  value: row.value,
  returnsTo: row.returns_to,
  isToDefault: row.is_to_default,
  returnsAt: row.returns_at,
  reason: row.reason,
  madeBy: row.made_by,
  madeAt: row.made_at,
  refusedBecause: row.refused_because,
})

/** Lists every return that has not happened yet, the next one first. */
export async function listSettingReturns(db: Db | Tx): Promise<SettingReturn[]> {
  const rows = await db.selectFrom('setting_returns').selectAll().where('ended_at', 'is', null).orderBy('returns_at').execute()
  return rows.map(returnOf)
}

export async function lockSettingReturn(tx: Tx, name: string): Promise<SettingReturn | undefined> {
  const row = await tx
    .selectFrom('setting_returns')
    .selectAll()
    .where('name', '=', name)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && returnOf(row)
}

/** Ends a return: it happened, somebody keeps the value, or the setting was changed by hand meanwhile. */
export async function endSettingReturn(tx: Tx, id: string, how: 'returned' | 'kept' | 'replaced', by: string): Promise<void> {
  await sql`
    update setting_returns set ended_at = clock_timestamp(), ended_how = ${how}, ended_by = ${by} where id = ${id}`.execute(tx)
}

/** A setting that has just been changed by hand. */
export type SettingChange = {
  readonly name: string
  readonly before: unknown
  /** True when the operator had no value of their own before. */
  readonly wasDefault: boolean
  readonly value: unknown
  readonly actor: string
}

async function checkMoment(tx: Tx, moment: Date): Promise<void> {
  const { rows } = await sql<{ is_ahead: boolean; is_near: boolean }>`
    select ${moment} > clock_timestamp() as is_ahead,
      ${moment} <= clock_timestamp() + make_interval(days => ${longestDays}) as is_near`.execute(tx)
  if (!rows[0]?.is_ahead) throw new SettingReturnError('The time to switch back must be in the future.')
  if (!rows[0].is_near) throw new SettingReturnError('The time to switch back must be within a year.')
}

/**
 * Updates the return of a setting after a change by hand: a waiting return ends, and a new one is made if `returnsAt` is
 * given. When one temporary change replaces another, it returns to the value before both, because the value between was not
 * meant to stay.
 *
 * @returns the details for the operator's log
 * @throws SettingReturnError when there is nothing to return to, or the time is wrong
 */
export async function replaceSettingReturn(
  tx: Tx,
  { name, before, wasDefault, value, actor }: SettingChange,
  { reason, returnsAt }: ChangeTerms,
): Promise<Readonly<Record<string, unknown>>> {
  const found = await lockSettingReturn(tx, name)
  if (found) await endSettingReturn(tx, found.id, 'replaced', actor)
  const cancelled = found && { return_cancelled: found.returnsAt.toISOString() }
  if (!returnsAt) return { ...cancelled }
  await checkMoment(tx, returnsAt)
  // A process of an older release may have changed the setting since; then the setting returns to the value that this process
  // set.
  const known = found && isDeepStrictEqual(found.value, before) ? found : undefined
  const returnsTo = known ? known.returnsTo : before
  if (isDeepStrictEqual(returnsTo, value))
    throw new SettingReturnError(`${name} would return to the value that it has then. Change it without a time to switch back.`)
  await tx
    .insertInto('setting_returns')
    .values({
      id: newId(),
      name,
      value: JSON.stringify(value),
      returns_to: JSON.stringify(returnsTo),
      is_to_default: known ? known.isToDefault : wasDefault,
      returns_at: returnsAt,
      reason: reason ?? null,
      made_by: actor,
      refused_because: null,
      tried_at: null,
      ended_at: null,
      ended_how: null,
      ended_by: null,
    })
    .execute()
  return { ...cancelled, returns_at: returnsAt.toISOString(), returns_to: returnsTo }
}
