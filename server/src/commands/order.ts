import { type Command, Option } from 'commander'
import { forceOption, outputOption } from './frame/output-file.ts'
import type { OrderListOptions } from './order-list-actions.ts'

const statuses = ['queued', 'pending', 'processing', 'completed', 'failed', 'refunded', 'cancelled']

export function addOrderList(order: Command): void {
  order
    .command('list')
    .description('list orders, newest first')
    .option('--recipient <text>', 'to this phone number in any way of writing it, meter, smartcard or e-mail')
    .option('--account <account>', 'of this account: its e-mail or id')
    .option('--product <product>', 'of this product, such as data, airtime or utilities')
    .option('--network <network>', 'on this network, or to this biller')
    .option('--supplier <name>', 'given to this supplier, whatever came of it')
    .addOption(new Option('--status <status>', 'only orders in this state').choices(statuses))
    .option('--reference <text>', 'with this reference or id, ours and the supplier’s own too')
    .option('--stuck', 'only orders that need a person, oldest first')
    .option('--held', 'only orders that wait for something')
    .option('--contradicted', 'only orders about which a supplier said something else after they had ended')
    .option('--from <moment>', 'placed from this date or moment on, in ISO 8601, Ghana’s time')
    .option('--to <moment>', 'placed until this date or moment; a date alone counts whole')
    .option('--limit <count>', 'how many at most, up to 1000; default 50, with --csv all')
    .option('--after <cursor>', 'the page after this one: its `next`')
    .addOption(outputOption('--csv <file>', 'write all of them to a file, however many there are'))
    .addOption(forceOption)
    .addHelpText(
      'after',
      `
Examples:
  makola order list --recipient "024 123 4567"
  makola order list --account ama@example.com --product data --from 2027-01-01 --to 2027-01-31
  makola order list --supplier datamart --status refunded --limit 1000 --json
  makola order list --from 2027-01-01 --to 2027-01-31 --csv january.csv

A cost with ~ is what our price list said when the order was sent; the supplier has not said what it took.`,
    )
    .action(async (options: OrderListOptions) => (await import('./order-list-actions.ts')).runOrderList(options))
}
