import { allSettings, findSetting } from '../all-settings.ts'
import { readConfig } from '../config.ts'
import { readSetting, type Setting, writeSetting } from '../platform/settings/settings.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

function settingNamed(name: string): Setting {
  const setting = findSetting(name)
  if (setting) return setting
  throw new UsageError(`There is no setting ${JSON.stringify(name)}. \`makola setting list\` shows them all.`)
}

/** Reads a typed value: as JSON if it is JSON, otherwise as text, so that `hint` needs no quotes. */
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

/** `makola setting get`. */
export async function runSettingGet(name: string): Promise<void> {
  const setting = settingNamed(name)
  printSetting(name, await withDatabase(readConfig(), (db) => readSetting(db, setting)))
}

/** `makola setting set`. */
export async function runSettingSet(name: string, text: string): Promise<void> {
  const setting = settingNamed(name)
  const value = parseValue(text)
  await withDatabase(readConfig(), (db) => writeSetting(db, setting, value, operatorName()))
  printSetting(name, value)
}

/** `makola setting list`. */
export async function runSettingList(): Promise<void> {
  const listed = await withDatabase(readConfig(), async (db) => {
    const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
    const set = new Map(rows.map((row) => [row.name, row.value]))
    return allSettings.map(({ name, defaultValue, allowed, help }) => ({
      name,
      value: set.has(name) ? set.get(name) : defaultValue,
      default: defaultValue,
      allowed,
      help,
    }))
  })
  const text = listed.map(
    ({ name, value, help, allowed }) => `${name} = ${JSON.stringify(value)}\n    ${help} Allowed: ${allowed}.`,
  )
  printResult(listed, text.join('\n'))
}
