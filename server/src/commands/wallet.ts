import { type Command, Option } from 'commander'
import { receiptWays } from '../money/by-people/receipt-number.ts'
import { addStatementCommand } from './statement.ts'
import type { WalletCorrectOptions, WalletCreditOptions } from './wallet-actions.ts'

const actions = () => import('./wallet-actions.ts')

export function registerWalletCommand(program: Command): void {
  const wallet = program
    .command('wallet')
    .description('credit, correct and show the wallets of an account, and their statements')
    .addHelpText(
      'after',
      `
Examples:
  makola wallet credit --account ama@example.com --amount 100.00 --note "cash at the shop" --id receipt-1041
  makola wallet correct --account ama@example.com --amount -100.00 --of receipt-1041 --reason "typed twice" --by kofi
  makola wallet show --account ama@example.com
  makola wallet statement --account ama@example.com --month 2026-10 --pdf ama-october.pdf

A credit above the setting credit_limit_one_person, and every correction, takes two people: one proposes, another one
runs \`makola approvals confirm\`.`,
    )
  wallet
    .command('credit')
    .description('credit the main wallet; above credit_limit_one_person by two people')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--amount <amount>', 'in GHS, such as 100.00')
    .option('--note <note>', 'what for; kept with the credit')
    .option('--id <external-id>', 'a receipt’s number: the same id credits once; required when live')
    .addOption(new Option('--way <way>', 'how the money came: the number of --id is then one of that way').choices(receiptWays))
    .option('--by <person>', 'who does it; default: your user name here')
    .option('--yes', 'do not ask on a terminal')
    .action(async (options: WalletCreditOptions) => (await actions()).runWalletCredit(options))
  wallet
    .command('correct')
    .description('take money back from the main wallet by the word of two people')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--amount <amount>', 'in GHS, below 0: -50.00 takes 50.00 back')
    .requiredOption('--reason <text>', 'what was wrong')
    .requiredOption('--by <person>', 'who says so')
    .option('--of <credit>', 'the credit that was wrong: its id, or the --id that it was made with')
    .option('--yes', 'do not ask on a terminal')
    .action(async (options: WalletCorrectOptions) => (await actions()).runWalletCorrect(options))
  wallet
    .command('show')
    .description('show the balances of an account')
    .requiredOption('--account <account>', 'its id or e-mail')
    .action(async (options: { account: string }) => (await actions()).runWalletShow(options.account))
  addStatementCommand(wallet, 'list every entry of a purse with the balance before and after it').addOption(
    new Option('--purse <purse>', 'which purse').choices(['main', 'commission', 'sms_credits']).default('main'),
  )
}
