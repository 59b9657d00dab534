import { open } from 'node:fs/promises'
import process from 'node:process'
import { readConfig } from '../config.ts'
import type { Db } from '../platform/database/database.ts'
import { importVouchers } from '../products/results-checker/import-vouchers.ts'
import { findVoucherType, listVoucherStock, type VoucherTypeRow } from '../products/results-checker/list-voucher-stock.ts'
import { CommandError } from './command-error.ts'
import { operatorName } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { openProgressLine } from './progress-line.ts'
import { withDatabase } from './with-database.ts'
import { withDatabaseAndKeys } from './with-database-and-keys.ts'

export type VouchersImportOptions = { type: string; dryRun?: true }

async function mustFindType(db: Db, name: string): Promise<VoucherTypeRow> {
  const type = await findVoucherType(db, name)
  if (type) return type
  const known = (await listVoucherStock(db)).map((row) => row.name)
  throw new CommandError(
    `There is no voucher type ${JSON.stringify(name)}; known: ${known.join(', ') || 'none'}. Make one with \`makola voucher-type set\`.`,
  )
}

/** `makola vouchers import`. */
export async function runVouchersImport(file: string, options: VouchersImportOptions): Promise<void> {
  const isDryRun = options.dryRun === true
  const handle = await open(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  })
  const progress = openProgressLine(process.stderr, (rows) => `${rows} rows read`)
  try {
    // A stock sealed with a key that the API does not have could not be sold.
    const result = await withDatabaseAndKeys(readConfig(), async (db, keys) => {
      const type = await mustFindType(db, options.type)
      const stream = handle.createReadStream({ autoClose: false })
      return importVouchers(db, keys, {
        type,
        file: stream,
        isDryRun,
        actor: operatorName(),
        onProgress: (rows) => progress.show(rows),
      })
    })
    progress.close()
    const lead = isDryRun ? 'A dry run, nothing was kept: ' : ''
    printResult(
      isDryRun ? { ...result, dry_run: true } : result,
      `${lead}${result.imported} vouchers ${isDryRun ? 'would be' : 'were'} imported, ${result.skipped} were known already.`,
    )
  } finally {
    progress.close()
    await handle.close()
  }
}

/** `makola vouchers count`. */
export async function runVouchersCount(): Promise<void> {
  const stock = await withDatabase(readConfig(), listVoucherStock)
  const types = stock.map((type) => ({
    type_id: type.id,
    name: type.name,
    is_active: type.is_active,
    available_count: type.available_count,
    sold_count: type.soldCount,
    low_stock_count: type.low_stock_count,
    is_low: type.is_active && type.available_count < type.low_stock_count,
  }))
  const lines = types.map(
    (type) =>
      `${type.name}: ${type.available_count} left, ${type.sold_count} sold${type.is_active ? '' : ' (not on sale)'}${type.is_low ? '  LOW' : ''}`,
  )
  printResult({ types }, lines.join('\n') || 'There is no voucher type yet. Make one with `makola voucher-type set`.')
}
