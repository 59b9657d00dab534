import type { MigrationForecast, TableForecast, UpgradeForecast } from './forecast-upgrade.ts'

const lockTexts: Readonly<Record<TableForecast['holds'], string>> = {
  all: 'whoever reads or writes it waits',
  writes: 'whoever writes it waits',
  rows: 'whoever writes the same rows waits',
  none: 'nobody waits',
}

const workTexts: Readonly<Record<TableForecast['does'], string>> = {
  steps: 'changes its rows in small steps',
  rows: 'changes its rows',
  index: 'makes an index',
  check: 'reads its rows',
  catalogue: 'changes its form, which takes a moment',
}

function duration(seconds: number): string {
  if (seconds < 2) return 'about a second'
  if (seconds < 120) return `about ${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `about ${minutes} minutes` : `about ${Math.ceil(minutes / 60)} hours`
}

function describeTable({ table, holds, does, rows, seconds, isMeasured, diskBytes }: TableForecast): string {
  const time = `${duration(seconds)}${isMeasured ? ', by a sample of its rows' : ''}`
  const disk = diskBytes < 10_000_000 ? '' : `; up to ${(diskBytes / 1_000_000_000).toFixed(1)} GB of disk`
  return `    ${table}, about ${rows.toLocaleString('en-US')} rows: ${workTexts[does]}; ${time}; ${lockTexts[holds]}${disk}`
}

const wayWords: Readonly<Record<MigrationForecast['way'], string>> = {
  together: 'in one transaction with its neighbours',
  alone: 'outside a transaction, safe to repeat',
  'long work': 'in small steps beside the sales, goes on where it is broken off',
}

export function describeMigration({ name, way, contracts, tables }: MigrationForecast): string[] {
  const removes = contracts ? '    Removes what the release before it uses: there is no way back but a backup.' : undefined
  const places = tables.length === 0 ? ['    touches no table that is there'] : tables.map(describeTable)
  return [`  ${name}: ${wayWords[way]}`, ...places, ...(removes === undefined ? [] : [removes])]
}

/** Says in words what an upgrade will do, and how to go back. */
export function describeForecast(forecast: UpgradeForecast): string {
  const { version, problems, node, postgres, migrations, newer, settingsThatGo, canGoBack } = forecast
  const schema =
    migrations.length === 0 ? ['The schema has all that it needs: nothing is migrated.'] : ['`makola migrate` will do:']
  const newerLines =
    newer.length === 0 ? [] : [`The database has migrations of a newer version, which this one accepts: ${newer.join(', ')}.`]
  const going = settingsThatGo.map((name) => `The setting ${name} has a value and is not read any more.`)
  const back = canGoBack
    ? 'The way back: run the programs of the version before; they accept the new schema.'
    : 'The way back: restore a backup from before `makola migrate`. Stop the programs of the version before, before it runs.'
  return [
    `Makola ${version} comes with Node ${node} and needs PostgreSQL ${postgres.needed} or newer; the database is ${postgres.found}.`,
    ...schema,
    ...migrations.flatMap(describeMigration),
    ...newerLines,
    ...going,
    back,
    ...problems.map((problem) => `PROBLEM  ${problem}`),
    forecast.ok ? 'It can run here.' : 'It cannot run here as it is.',
  ].join('\n')
}
