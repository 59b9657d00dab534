import { type Command, Option } from 'commander'
import type { AccountPurse } from '../money/money.tables.ts'
import { forceOption, outputOption } from './frame/output-file.ts'
import type { StatementOptions } from './statement-actions.ts'

/** Adds `statement` to a group of commands. `purse` is the one that the group is about, if any. */
function addStatementCommand(group: Command, description: string, purse?: AccountPurse): Command {
  return group
    .command('statement')
    .description(description)
    .requiredOption('--account <account>', 'its id or e-mail')
    .option('--month <month>', 'one month, such as 2026-10')
    .option('--from <date>', 'from this day or moment on; Accra’s time')
    .option('--to <date>', 'to this day or moment, the day included')
    .addOption(outputOption('--csv <file>', 'write it to a file as CSV'))
    .addOption(outputOption('--pdf <file>', 'write it to a file as PDF, with the setting operator_name as its head'))
    .addOption(forceOption)
    .action(async (options: StatementOptions) =>
      (await import('./statement-actions.ts')).runStatement({ ...options, ...(purse && { purse }) }),
    )
}

export function addWalletStatement(wallet: Command): void {
  addStatementCommand(wallet, 'list every entry of a purse with the balance before and after it').addOption(
    new Option('--purse <purse>', 'which purse').choices(['main', 'commission', 'sms_credits']).default('main'),
  )
}

export function addCommissionStatement(commission: Command): void {
  addStatementCommand(commission, 'list every entry of a Commission Wallet with the balance before and after it', 'commission')
}
