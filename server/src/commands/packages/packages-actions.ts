import { open } from 'node:fs/promises'
import { readConfig } from '../../config.ts'
import { formatGhs } from '../../money/pesewas.ts'
import { comparePackages, type PackageDifference } from '../../products/data/catalogue/compare-packages.ts'
import { exportPackages } from '../../products/data/catalogue/export-packages.ts'
import { importPackages } from '../../products/data/catalogue/import-packages.ts'
import type { CellValue } from '../../products/data/history/package-cells.ts'
import { readPackageHistory } from '../../products/data/history/package-history.ts'
import { reopenOffer } from '../../products/data/offers/close-and-reopen-offer.ts'
import { type ListedOffer, listOffers } from '../../products/data/offers/list-offers.ts'
import { packageName, readPackages } from '../../products/data/stored-packages.ts'
import { CommandError, UsageError } from '../frame/command-error.ts'
import { operatorName } from '../frame/operator-name.ts'
import type { OutputFile } from '../frame/output-file.ts'
import { printResult } from '../frame/print-result.ts'
import { withDatabase } from '../frame/with-database.ts'
import { writePieces, writeWholeFile } from '../frame/write-whole-file.ts'

/** Makes an error handler that turns an error of reading a file into one line for the person. */
export function fileError(file: string): (error: unknown) => never {
  return (error) => {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

export async function runPackagesImport(file: string, isBelowCostAllowed: boolean): Promise<void> {
  const handle = await open(file).catch(fileError(file))
  try {
    const result = await withDatabase(readConfig(), (db) =>
      importPackages(db, { file: handle.createReadStream({ autoClose: false }), isBelowCostAllowed, actor: operatorName() }),
    )
    printResult(result, `${result.imported} packages were imported, ${result.skipped} were as in the file already.`)
  } finally {
    await handle.close()
  }
}

export function showCell(value: CellValue): string {
  return value === null ? 'none' : String(value)
}

function describeDifference({ line, name, change, columns }: PackageDifference): string {
  const cells = [...columns].map(([column, { before, after }]) =>
    change === 'new' ? `${column} ${showCell(after)}` : `${column} ${showCell(before)} → ${showCell(after)}`,
  )
  return `line ${line}: ${change.padEnd(8)} ${name}  ${cells.join(', ')}`
}

export async function runPackagesDryRun(file: string, isBelowCostAllowed: boolean): Promise<void> {
  const handle = await open(file).catch(fileError(file))
  try {
    const { differences, notInFile } = await withDatabase(readConfig(), (db) =>
      comparePackages(db, { file: handle.createReadStream({ autoClose: false }), isBelowCostAllowed }),
    )
    const count = (change: PackageDifference['change']) => differences.filter((each) => each.change === change).length
    const json = {
      dry_run: true,
      new: count('new'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      packages: differences.map(({ line, name, change, columns }) => ({
        line,
        package: name,
        change,
        columns: Object.fromEntries(columns),
      })),
      not_in_file: notInFile,
    }
    const left =
      notInFile.length === 0 ? '' : ` ${notInFile.length} are not in the file and stay as they are: ${notInFile.join(', ')}.`
    const summary = `Nothing was changed. ${json.new} would be new, ${json.changed} changed, ${json.unchanged} are as in the file already.${left}`
    const lines = differences.filter(({ change }) => change !== 'unchanged').map(describeDifference)
    printResult(json, [...lines, summary].join('\n'))
  } finally {
    await handle.close()
  }
}

export async function runPackagesExport(file: OutputFile): Promise<void> {
  const { text, count } = await withDatabase(readConfig(), exportPackages)
  await writeWholeFile(file, writePieces([text]))
  printResult({ exported: count }, `${count} packages were written to ${file.path}.`)
}

function describeOffer({ network, volumeGb, supplier, code, costPesewas, closedAt, closedBecause }: ListedOffer): string {
  const line = `${network} ${volumeGb}GB  ${supplier}  code ${code}  ${formatGhs(costPesewas)}`
  return closedAt === null ? line : `${line}  CLOSED at ${closedAt.toISOString()}: ${closedBecause ?? ''}`
}

export async function runPackagesOffers(isOnlyClosed: boolean): Promise<void> {
  const all = await withDatabase(readConfig(), listOffers)
  const offers = isOnlyClosed ? all.filter(({ closedAt }) => closedAt !== null) : all
  const rows = offers.map(({ network, volumeGb, supplier, code, costPesewas, closedAt, closedBecause }) => ({
    network,
    volume_gb: volumeGb,
    supplier,
    code,
    cost: costPesewas / 100,
    closed_at: closedAt?.toISOString() ?? null,
    closed_because: closedBecause,
  }))
  const nothing = isOnlyClosed ? 'No offer is closed.' : 'No supplier offers anything yet. See `makola packages import`.'
  printResult({ offers: rows }, offers.map(describeOffer).join('\n') || nothing)
}

function readVolume(text: string): number {
  const volumeGb = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (volumeGb > 0) return volumeGb
  throw new UsageError(`A volume is a number of GB such as 1 or 2.5, not ${JSON.stringify(text)}.`)
}

export async function runPackagesReopen(network: string, volumeText: string, supplier: string): Promise<void> {
  const volumeGb = readVolume(volumeText)
  const offer = { network, volumeGb, supplier }
  const result = await withDatabase(readConfig(), (db) => reopenOffer(db, offer, operatorName()))
  const what = `the offer of ${network} ${volumeGb}GB by ${supplier}`
  if (result === 'missing') throw new CommandError(`There is no such offer: ${what}. See \`makola packages offers\`.`)
  const json = { network, volume_gb: volumeGb, supplier, reopened: result === 'reopened' }
  printResult(json, result === 'reopened' ? `Reopened ${what}. Orders that wait for it go on.` : `It was open already: ${what}.`)
}

export async function runPackagesHistory(network: string, volumeText: string): Promise<void> {
  const name = packageName({ network, volumeGb: readVolume(volumeText) })
  const changes = await withDatabase(readConfig(), async (db) => {
    const stored = (await readPackages(db)).get(name)
    if (!stored) throw new CommandError(`There is no package ${name}.`)
    return (await readPackageHistory(db, { packageId: stored.id })).changes
  })
  const lines = changes.map(({ at, actor, action, reason, columns }) => {
    const cells = Object.entries(columns).map(
      ([column, { before, after }]) => `${column} ${showCell(before)} → ${showCell(after)}`,
    )
    return `${at.toISOString()}  ${actor}  ${action}  ${cells.join(', ')}${reason === null ? '' : `  (${reason})`}`
  })
  const json = changes.map(({ at, actor, action, reason, columns }) => ({ at: at.toISOString(), actor, action, reason, columns }))
  printResult({ package: name, changes: json }, lines.join('\n') || `Nothing of ${name} was changed since its history is kept.`)
}
