import type { Command } from 'commander'
import type { WalletCreditOptions } from './wallet-actions.ts'

const actions = () => import('./wallet-actions.ts')

/** `makola wallet …`: money by hand. */
export function registerWalletCommand(program: Command): void {
  const wallet = program
    .command('wallet')
    .description('credit and show the wallets of an account')
    .addHelpText(
      'after',
      `
Examples:
  makola wallet credit --account ama@example.com --amount 100.00 --note "cash at the shop" --id receipt-1041
  makola wallet show --account ama@example.com`,
    )
  wallet
    .command('credit')
    .description('credit the main wallet')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--amount <amount>', 'in GHS, such as 100.00')
    .option('--note <note>', 'what for; kept with the credit')
    .option('--id <external-id>', 'a receipt’s number: the same id credits once; required when live')
    .action(async (options: WalletCreditOptions) => (await actions()).runWalletCredit(options))
  wallet
    .command('show')
    .description('show the balances of an account')
    .requiredOption('--account <account>', 'its id or e-mail')
    .action(async (options: { account: string }) => (await actions()).runWalletShow(options.account))
}
