import type { Command } from 'commander'
import type { VouchersImportOptions } from './vouchers-actions.ts'

const actions = () => import('./vouchers-actions.ts')

/** `makola vouchers …`: the stock of results-checker vouchers. */
export function registerVouchersCommand(program: Command): void {
  const vouchers = program
    .command('vouchers')
    .description('import results-checker vouchers and count the stock')
    .addHelpText(
      'after',
      `
A file is CSV whose first line names the columns pin and serial_number (also: PIN code, serial, Serial No, S/N),
in any order; other columns are passed over. PINs and serial numbers may be any printable text. Vouchers that are
in stock or sold already are skipped; with a bad row nothing is imported.

Examples:
  makola vouchers import --type WASSCE --dry-run vouchers.csv
  makola vouchers import --type WASSCE vouchers.csv
  makola vouchers count`,
    )
  vouchers
    .command('import')
    .description('add the vouchers of a file to the stock: all of them or none')
    .argument('<file>', 'a CSV file')
    .requiredOption('--type <name>', 'the voucher type, by its name or id')
    .option('--dry-run', 'read and check everything, and keep nothing')
    .action(async (file: string, options: VouchersImportOptions) => (await actions()).runVouchersImport(file, options))
  vouchers
    .command('count')
    .description('count each type’s vouchers, left and sold')
    .action(async () => (await actions()).runVouchersCount())
}
