import type { Command } from 'commander'
import type { NoticeSettingsOptions } from './account-actions.ts'

/** Adds the command whose options take `off` in place of a value. */
export function addSetNotices(account: Command): void {
  account
    .command('set-notices')
    .description('set below which balance an account gets a notice, and the number for its SMS')
    .requiredOption('--account <account>', 'its id or e-mail')
    .option('--low-balance <amount>', 'tell it when the main wallet holds less, in GHS such as 50.00; `off`: never')
    .option('--phone <number>', 'its number, for SMS where the setting reseller_sms_notices allows them; `off`: none')
    .addHelpText(
      'after',
      '\nExample:\n  makola account set-notices --account ama@example.com --low-balance 50.00 --phone 0241234567',
    )
    .action(async (options: NoticeSettingsOptions) => (await import('./account-actions.ts')).runAccountSetNotices(options))
}
