import type { Command } from 'commander'
import type { VouchersImportOptions, VouchersWithdrawOptions } from './vouchers-actions.ts'

const actions = () => import('./vouchers-actions.ts')

/** Adds the `vouchers` commands that take files. */
export function addVoucherFiles(vouchers: Command): void {
  vouchers.addHelpText(
    'after',
    `
With files:
  makola vouchers import --type WASSCE --dry-run vouchers.csv
  makola vouchers import --type WASSCE vouchers.csv
  makola vouchers withdraw --type WASSCE --file wrong.csv --reason "council, ticket 88: series withdrawn" --by ama`,
  )
  vouchers
    .command('import')
    .description('add the vouchers of a file to the stock: all of them or none')
    .argument('<file>', 'a CSV file')
    .requiredOption('--type <name>', 'the voucher type, by its name or id')
    .option('--cost <amount>', 'what each voucher cost you, in GHS; see `makola cost`')
    .option('--dry-run', 'read and check everything, and keep nothing')
    .action(async (file: string, options: VouchersImportOptions) => (await actions()).runVouchersImport(file, options))
  vouchers
    .command('withdraw')
    .description('take unsold vouchers out of the stock by the word of two people')
    .requiredOption('--type <name>', 'the voucher type, by its name or id')
    .option('--file <file>', 'those of a CSV file, as it was imported')
    .option('--imported-from <moment>', 'those imported from this moment on, in ISO 8601')
    .option('--imported-to <moment>', 'those imported until this moment')
    .option('--oldest <count>', 'so many of them, oldest first, as they are sold')
    .option('--ids <id...>', 'those with these ids, as an alarm names them')
    .option('--all', 'all that are in stock')
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--by <person>', 'who says so')
    .option('--yes', 'do not ask on a terminal')
    .action(async (options: VouchersWithdrawOptions) => (await actions()).runVouchersWithdraw(options))
}
