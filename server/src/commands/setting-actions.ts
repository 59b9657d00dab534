import { allSettings, findSetting, guardedSettings } from '../all-settings.ts'
import { readConfig } from '../config.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { listSettings } from '../platform/settings/list-settings.ts'
import { listSettingReturns, type SettingReturn } from '../platform/settings/setting-returns.ts'
import { readSetting, type Setting } from '../platform/settings/settings.ts'
import { UsageError } from './frame/command-error.ts'
import { describeLoosening } from './frame/describe-loosening.ts'
import { personOf } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { checkText, readMoment, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type SettingSetOptions = { reason?: string; until?: string; by?: string }
export type SettingKeepOptions = { reason?: string; by?: string }

function settingNamed(name: string): Setting {
  const setting = findSetting(name)
  if (setting) return setting
  throw new UsageError(`There is no setting ${JSON.stringify(name)}. \`makola setting list\` shows them all.`)
}

/** Reads a value as JSON if it is JSON, otherwise as text, so that `hint` needs no quotes. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function printSetting(name: string, value: unknown): void {
  printResult({ name, value }, `${name} = ${JSON.stringify(value)}`)
}

export async function runSettingGet(name: string): Promise<void> {
  const setting = settingNamed(name)
  printSetting(name, await withDatabase(readConfig(), (db) => readSetting(db, setting)))
}

const longestDays = 366

/** Reads when a setting returns: a moment, or a time from now such as `15m`, `4h` or `2d`. */
function readReturn(text: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text.trim()) ?? []
  if (count === undefined) return readMoment('--until', text)
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? 0)
  if (seconds > longestDays * 86_400) throw new UsageError('--until must be within a year.')
  return new Date(Date.now() + seconds * 1_000)
}

/** Prints that the change waits for a second person, because it loosens a guard of money or rights. */
function printProposed(name: string, approvalId: string): void {
  printResult({ name, approval_id: approvalId, status: 'pending' }, `${name} is as it was. ${describeLoosening(approvalId)}`)
}

export async function runSettingSet(name: string, text: string, options: SettingSetOptions): Promise<void> {
  checkText('--by', options.by)
  const reason = options.reason === undefined ? undefined : readText('--reason', options.reason)
  const terms = { ...(options.until !== undefined && { returnsAt: readReturn(options.until) }) }
  const setting = settingNamed(name)
  const value = parseValue(text)
  const person = personOf(options.by)
  const { changed, waiting } = await withDatabase(readConfig(), async (db) => ({
    changed: await inTransaction(db, (tx) => guardedSettings.change(tx, { setting, person, reason }, value, terms)),
    waiting: (await listSettingReturns(db)).find((each) => each.name === name),
  }))
  if (changed.state !== 'done') return printProposed(name, changed.approvalId)
  const returns = waiting && viewReturn(waiting)
  const end = returns ? ` until ${returns.returns_at}, then ${JSON.stringify(returns.returns_to)} again` : ''
  printResult({ name, value, ...(returns && { returns }) }, `${name} = ${JSON.stringify(value)}${end}`)
}

function viewReturn({ returnsAt, returnsTo, madeBy, reason, refusedBecause }: SettingReturn) {
  return {
    returns_at: returnsAt.toISOString(),
    returns_to: returnsTo,
    made_by: madeBy,
    reason,
    refused_because: refusedBecause,
  }
}

export async function runSettingReturns(): Promise<void> {
  const waiting = await withDatabase(readConfig(), listSettingReturns)
  const returns = waiting.map((each) => ({ name: each.name, value: each.value, ...viewReturn(each) }))
  const lines = returns.map(
    ({ name, value, returns_at, returns_to, made_by, reason, refused_because }) =>
      `${returns_at}  ${name}: ${JSON.stringify(value)} → ${JSON.stringify(returns_to)}  (${made_by}${reason === null ? '' : `: ${reason}`})${refused_because === null ? '' : `\n    not possible so far: ${refused_because}`}`,
  )
  printResult({ returns }, lines.join('\n') || 'No setting switches back by itself.')
}

export async function runSettingKeep(name: string, options: SettingKeepOptions): Promise<void> {
  checkText('--by', options.by)
  const setting = settingNamed(name)
  const reason = options.reason === undefined ? undefined : readText('--reason', options.reason)
  const person = personOf(options.by)
  const { kept, value } = await withDatabase(readConfig(), async (db) => ({
    kept: await inTransaction(db, (tx) => guardedSettings.keep(tx, { setting, person, reason })),
    value: await readSetting(db, setting),
  }))
  if (kept.state !== 'done') return printProposed(name, kept.approvalId)
  printResult({ name, value }, `${name} stays ${JSON.stringify(value)}.`)
}

export async function runSettingList(): Promise<void> {
  const standing = await withDatabase(readConfig(), (db) => listSettings(db, allSettings))
  const listed = standing.map(({ setting: { name, defaultValue, allowed, help }, value, lastChange, returns }) => ({
    name,
    value,
    default: defaultValue,
    allowed,
    help,
    changed_at: lastChange?.at.toISOString() ?? null,
    changed_by: lastChange?.by ?? null,
    reason: lastChange?.reason ?? null,
    returns: returns ? viewReturn(returns) : null,
  }))
  const text = listed.map(({ name, value, help, allowed, returns }) => {
    const end = returns ? `    Until ${returns.returns_at}, then ${JSON.stringify(returns.returns_to)} again.\n` : ''
    return `${name} = ${JSON.stringify(value)}\n${end}    ${help} Allowed: ${allowed}.`
  })
  printResult(listed, text.join('\n'))
}
