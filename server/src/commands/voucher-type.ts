import { type Command, Option } from 'commander'
import type { VoucherTypeSetOptions } from './voucher-type-actions.ts'

const actions = () => import('./voucher-type-actions.ts')

export function registerVoucherTypeCommand(program: Command): void {
  const voucherType = program
    .command('voucher-type')
    .description('make and change the types of results-checker vouchers')
    .addHelpText(
      'after',
      `
Examples:
  makola voucher-type set WASSCE --price-customer 20 --price-agent 17.50 --price-dealer 16.50
  makola voucher-type set WASSCE --active false
  makola voucher-type set WASSCE --low-stock 100`,
    )
  voucherType
    .command('set')
    .description('make a voucher type, or change what is given of it')
    .argument('<name>', 'its name; upper and lower case are the same')
    .option('--price-customer <ghs>', 'the price of one voucher for customers')
    .option('--price-agent <ghs>', 'the price of one voucher for agents')
    .option('--price-dealer <ghs>', 'the price of one voucher for dealers')
    .addOption(new Option('--active <flag>', 'whether it is on sale').choices(['true', 'false']))
    .option('--low-stock <count>', 'raise an alarm when fewer than so many are left')
    .option('--rename <name>', 'a new name')
    .action(async (name: string, options: VoucherTypeSetOptions) => (await actions()).runVoucherTypeSet(name, options))
}
