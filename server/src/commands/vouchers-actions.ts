import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import { readConfig } from '../config.ts'
import { costDecimals, costGhsMax } from '../orders/costs/unit-costs.ts'
import { describeConfirmed } from '../platform/approvals/propose-approval.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { importVouchers } from '../products/results-checker/import-vouchers.ts'
import { findVoucherType, listVoucherStock, type VoucherTypeRow } from '../products/results-checker/list-voucher-stock.ts'
import { listUnsoldVouchers, type VoucherSelection, withdrawVouchers } from '../products/results-checker/withdraw-vouchers.ts'
import { askOnTerminal } from './frame/ask-on-terminal.ts'
import { CommandError, UsageError } from './frame/command-error.ts'
import { operatorName, personOf } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { openProgressLine } from './frame/progress-line.ts'
import { checkText, readCount, readDecimal, readMoment } from './frame/read-options.ts'
import { withDatabaseAndKeys } from './frame/with-database.ts'

export type VouchersImportOptions = { type: string; cost?: string; dryRun?: true }
export type VouchersWithdrawOptions = {
  type: string
  all?: true
  oldest?: string
  ids?: string[]
  importedFrom?: string
  importedTo?: string
  file?: string
  reason: string
  by: string
  yes?: true
}

async function mustFindType(db: Db, name: string): Promise<VoucherTypeRow> {
  const type = await findVoucherType(db, name)
  if (type) return type
  const known = (await listVoucherStock(db)).map((row) => row.name)
  throw new CommandError(
    `There is no voucher type ${JSON.stringify(name)}; known: ${known.join(', ') || 'none'}. Make one with \`makola voucher-type set\`.`,
  )
}

async function openFile(file: string): Promise<FileHandle> {
  return open(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  })
}

export async function runVouchersImport(file: string, options: VouchersImportOptions): Promise<void> {
  const isDryRun = options.dryRun === true
  const costGhs =
    options.cost === undefined ? undefined : readDecimal('--cost', options.cost, { decimals: costDecimals, most: costGhsMax })
  const handle = await openFile(file)
  const progress = openProgressLine(process.stderr, (rows) => `${rows} rows read`)
  try {
    // The keys are checked, because vouchers sealed with a key that the API lacks could not be sold.
    const result = await withDatabaseAndKeys(readConfig(), async (db, keys) => {
      const type = await mustFindType(db, options.type)
      const stream = handle.createReadStream({ autoClose: false })
      return importVouchers(db, keys, {
        type,
        file: stream,
        isDryRun,
        fileName: basename(file),
        actor: operatorName(),
        costGhs,
        onProgress: (rows) => progress.show(rows),
      })
    })
    progress.close()
    const lead = isDryRun ? 'A dry run, nothing was kept: ' : ''
    const { imported, skipped } = result
    printResult(
      { imported, skipped, ...(isDryRun && { dry_run: true }) },
      `${lead}${imported} vouchers ${isDryRun ? 'would be' : 'were'} imported, ${skipped} were known already.`,
    )
  } finally {
    progress.close()
    await handle.close()
  }
}

function readSelection(options: VouchersWithdrawOptions, handle: FileHandle | undefined): VoucherSelection {
  if (handle) return { file: handle.createReadStream({ autoClose: false }) }
  const { importedFrom, importedTo, oldest, ids } = options
  if (ids) return { ids: ids.map((id) => id.toLowerCase()) }
  return {
    ...(oldest !== undefined && { oldest: readCount('--oldest', oldest, { least: 1, most: 999_999 }) }),
    ...(importedFrom !== undefined && { importedFrom: readMoment('--imported-from', importedFrom) }),
    ...(importedTo !== undefined && { importedTo: readMoment('--imported-to', importedTo) }),
  }
}

function checkSelection({ all, file, ids, oldest, importedFrom, importedTo }: VouchersWithdrawOptions): void {
  const isByStock = oldest !== undefined || importedFrom !== undefined || importedTo !== undefined
  const ways = [all === true, file !== undefined, ids !== undefined, isByStock]
  if (ways.filter(Boolean).length !== 1)
    throw new UsageError('Say which vouchers: --all, --file, --ids, or --oldest, --imported-from and --imported-to.')
}

export async function runVouchersWithdraw(options: VouchersWithdrawOptions): Promise<void> {
  checkSelection(options)
  checkText('--reason', options.reason)
  checkText('--by', options.by)
  const person = personOf(options.by)
  const handle = options.file === undefined ? undefined : await openFile(options.file)
  try {
    const selection = readSelection(options, handle)
    const { approvalId, status, count, confirmed } = await withDatabaseAndKeys(readConfig(), async (db, keys) => {
      const type = await mustFindType(db, options.type)
      const voucherIds = await listUnsoldVouchers(db, keys, type.id, selection)
      await askOnTerminal(`Take ${voucherIds.length} unsold ${type.name} vouchers out of the stock?`, options.yes === true)
      const withdrawal = { type, voucherIds, reason: options.reason, person }
      const proposed = await inTransaction(db, (tx) => withdrawVouchers(tx, withdrawal))
      const confirmed = proposed.status === 'done' ? await describeConfirmed(db, proposed.approvalId) : undefined
      return { count: voucherIds.length, ...proposed, confirmed }
    })
    const end =
      confirmed !== undefined
        ? `They are out of the stock. ${confirmed}`
        : `They are sold on until a second person confirms it within 7 days with \`makola approvals confirm ${approvalId} --by NAME\`.`
    printResult({ approval_id: approvalId, status, count }, `${count} vouchers. ${end}`)
  } finally {
    await handle?.close()
  }
}
