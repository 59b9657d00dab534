import type { Command } from 'commander'
import type { SmsCreditOptions } from './wallet-actions.ts'

/** `makola sms …`: SMS credits by hand. */
export function registerSmsCommand(program: Command): void {
  program
    .command('sms')
    .description('credit SMS credits')
    .command('credit')
    .description('credit SMS credits to an account; one credit is one segment to one recipient')
    .addHelpText('after', '\nExample:\n  makola sms credit --account ama@example.com --credits 1000 --id receipt-1042')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--credits <credits>', 'a whole number')
    .option('--note <note>', 'what for; kept with the credit')
    .option('--id <external-id>', 'a receipt’s number: the same id credits once; required when live')
    .action(async (options: SmsCreditOptions) => (await import('./wallet-actions.ts')).runSmsCredit(options))
}
