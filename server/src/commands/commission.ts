import { type Command, Option } from 'commander'
import type { CommissionTransferOptions, RateOptions, ShareOptions } from './commission-actions.ts'
import { addStatementCommand } from './statement.ts'

const actions = () => import('./commission-actions.ts')

export function registerCommissionCommand(program: Command): void {
  const commission = program
    .command('commission')
    .description('show and move commission, and set its rates and shares')
    .addHelpText(
      'after',
      `
Commission is what a supplier pays for an order: what it reports, else the rate set here. Of that, the reseller
gets the share of its role; orders that exist keep the rate and share they were placed with.

Examples:
  makola commission show --account ama@example.com
  makola commission transfer --account ama@example.com --amount 25.00 --id payout-2026-07
  makola commission rates
  makola commission set-rate --product utilities --network dstv --percent 1.5
  makola commission set-share --product utilities --role agent --percent 50`,
    )
  commission
    .command('show')
    .description('show a Commission Wallet and its newest entries')
    .requiredOption('--account <account>', 'its id or e-mail')
    .action(async (options: { account: string }) => (await actions()).runCommissionShow(options.account))
  addStatementCommand(commission, 'list every entry of a Commission Wallet with the balance before and after it', 'commission')
  commission
    .command('transfer')
    .description('move commission to the main wallet of the same account')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--amount <amount>', 'in GHS, such as 25.00, or "all"')
    .option('--id <external-id>', 'a name for this transfer: the same id moves once; required when live')
    .action(async (options: CommissionTransferOptions) => (await actions()).runCommissionTransfer(options))
  commission
    .command('rates')
    .description('list the rates of suppliers and the shares of roles')
    .action(async () => (await actions()).runCommissionRates())
  commission
    .command('set-rate')
    .description('set what a supplier is expected to pay, for when it does not report it')
    .requiredOption('--product <product>', 'a product that earns commission, such as airtime')
    .requiredOption('--network <network>', 'a network, or a biller’s key')
    .requiredOption('--percent <percent>', 'of the amount, at most 2 decimals')
    .action(async (options: RateOptions) => (await actions()).runCommissionSetRate(options))
  commission
    .command('set-share')
    .description('set what a role gets of the commission; on airtime only lifetime agents and dealers earn')
    .requiredOption('--product <product>', 'a product that earns commission, such as airtime')
    .addOption(new Option('--role <role>', 'the role').choices(['customer', 'agent', 'dealer']).makeOptionMandatory())
    .requiredOption('--percent <percent>', 'of the commission, at most 2 decimals')
    .action(async (options: ShareOptions) => (await actions()).runCommissionSetShare(options))
}
