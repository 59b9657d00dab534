import { createReadStream } from 'node:fs'
import { readConfig } from '../../config.ts'
import { isId } from '../../platform/database/read-id.ts'
import { PackageFileError } from '../../products/data/catalogue/import-packages.ts'
import { readPackageFile } from '../../products/data/catalogue/read-package-file.ts'
import type { PackageEdit } from '../../products/data/edits/package-edit.ts'
import { differingColumns } from '../../products/data/history/package-cells.ts'
import { carryOutHeldPrices } from '../../products/data/schedule/carry-out-prices.ts'
import { type ListedPriceSet, listPriceSets, priceSetStates } from '../../products/data/schedule/list-price-sets.ts'
import { previewPriceSet } from '../../products/data/schedule/plan-price-set.ts'
import { cancelPriceSet, makePriceSet } from '../../products/data/schedule/write-price-set.ts'
import { packageName } from '../../products/data/stored-packages.ts'
import { UsageError } from '../frame/command-error.ts'
import { operatorName } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { readMoment, readText } from '../frame/read-options.ts'
import { withDatabase } from '../frame/with-database.ts'
import { fileError, showCell } from './packages-actions.ts'

export type ScheduleAddOptions = { at: string; note?: string; force?: true; dryRun?: true }

async function readPriceList(file: string): Promise<PackageEdit> {
  const { packages, problems } = await readPackageFile(createReadStream(file)).catch(fileError(file))
  if (problems.length > 0) throw new PackageFileError(problems)
  return { kind: 'file', rows: packages }
}

function readSetId(text: string): string {
  if (isId(text)) return text.toLowerCase()
  throw new UsageError(
    `Scheduled prices are named by the id from \`makola packages schedule list\`, not ${JSON.stringify(text)}.`,
  )
}

export async function runScheduleAdd(file: string, options: ScheduleAddOptions): Promise<void> {
  const effectiveAt = readMoment('--at', options.at)
  const edit = await readPriceList(file)
  if (options.dryRun) return previewSchedule(edit, effectiveAt)
  const note = options.note === undefined ? undefined : readText('--note', options.note)
  const request = { edit, effectiveAt, note, isBelowCostAllowed: options.force ?? false, actor: operatorName() }
  const { setId, packages } = await withDatabase(readConfig(), (db) => makePriceSet(db, request))
  const at = effectiveAt.toISOString()
  printResult({ set_id: setId, effective_at: at, packages }, `The prices of ${packages} packages change at ${at}: ${setId}.`)
}

async function previewSchedule(edit: PackageEdit, effectiveAt: Date): Promise<void> {
  const { changes, losses } = await withDatabase(readConfig(), (db) => previewPriceSet(db, { edit, effectiveAt }))
  const packages = changes.map(({ stored, next }) => ({
    package: packageName(next),
    columns: Object.fromEntries(differingColumns(stored, next)),
  }))
  const lines = packages.map(({ package: name, columns }) => {
    const cells = Object.entries(columns).map(
      ([column, { before, after }]) => `${column} ${showCell(before)} → ${showCell(after)}`,
    )
    return `${name}  ${cells.join(', ')}`
  })
  const warnings = losses.map(({ message }) => `LOSS  ${message}`)
  const json = { dry_run: true, effective_at: effectiveAt.toISOString(), packages, losses: losses.map(({ message }) => message) }
  printResult(json, [...lines, ...warnings, `Nothing was scheduled. ${packages.length} packages would change.`].join('\n'))
}

function describeSet(set: ListedPriceSet): string {
  const { id, effective_at, state, packages, made_by, note, held_because, clashes } = set
  const parts = [
    `${effective_at.toISOString()}  ${id}  ${state.toUpperCase()}  ${packages} packages  by ${made_by}`,
    ...(note === null ? [] : [`  ${note}`]),
    ...(held_because === null ? [] : [`  held: ${held_because}`]),
    ...(state === 'waiting' && clashes > 0 ? [`  ${clashes} prices were changed since: it will be held`] : []),
  ]
  return parts.join('\n')
}

/** Lists at most 50 sets: those that take effect last. */
export async function runScheduleList(isWithEnded: boolean): Promise<void> {
  const states = isWithEnded ? priceSetStates : (['waiting', 'held'] as const)
  const { sets } = await withDatabase(readConfig(), (db) => listPriceSets(db, { states }))
  const rows = sets.map(({ id, effective_at, made_at, ended_at, ...set }) => ({
    set_id: id,
    effective_at: effective_at.toISOString(),
    made_at: made_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    ...set,
  }))
  printResult({ sets: rows }, sets.map(describeSet).join('\n') || 'No prices are scheduled.')
}

export async function runScheduleCancel(text: string, reasonText: string | undefined): Promise<void> {
  const setId = readSetId(text)
  const reason = reasonText === undefined ? undefined : readText('--reason', reasonText)
  await withDatabase(readConfig(), (db) => cancelPriceSet(db, setId, { actor: operatorName(), reason }))
  printResult({ set_id: setId, cancelled: true }, `Cancelled: the prices of ${setId} never come into force.`)
}

export async function runScheduleCarryOut(text: string, reasonText: string, isBelowCostAllowed: boolean): Promise<void> {
  const setId = readSetId(text)
  const carrier = { actor: operatorName(), reason: readText('--reason', reasonText), isBelowCostAllowed }
  await withDatabase(readConfig(), (db) => carryOutHeldPrices(db, setId, carrier))
  printResult({ set_id: setId, carried_out: true }, `The prices of ${setId} are in force.`)
}
