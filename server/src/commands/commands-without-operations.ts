import { type Command, Option } from 'commander'
import type { NoticeSettingsOptions } from './account-actions.ts'
import type { AfaExportOptions } from './afa-actions.ts'
import { forceOption, type OutputFile, outputArgument, outputOption } from './frame/output-file.ts'

/** Adds `account set-notices`. It is no operation, because its options take `off` in place of a value. */
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

export function addAfaExport(afa: Command): void {
  afa
    .command('export')
    .description('write registrations with all their data to a CSV file')
    .addArgument(outputArgument('<file>', 'where to'))
    .addOption(
      new Option('--status <status>', 'only in this state; open: pending or processing')
        .choices(['open', 'pending', 'processing', 'completed', 'cancelled', 'all'])
        .default('open'),
    )
    .requiredOption('--reason <text>', 'why the data must leave; goes into the operator’s log')
    .addOption(forceOption)
    .action(async (file: OutputFile, options: AfaExportOptions) => (await import('./afa-actions.ts')).runAfaExport(file, options))
}

export function addAlertTest(alert: Command): void {
  alert
    .command('test')
    .description('send a test over every channel that is set up')
    .action(async () => (await import('./alert-actions.ts')).runAlertTest())
}

export function addCheckTextCommand(sms: Command): void {
  sms
    .command('check-text')
    .description('whether the content policy (settings sms_content_rules and sms_receipt_score) blocks a text')
    .addHelpText('after', '\nExamples:\n  makola sms check-text "You have received GHS 50"\n  makola sms check-text --corpus')
    .argument('[text]', 'the text, in quotes')
    .option('--corpus', 'instead, count its mistakes on the 2,300 texts that come with it')
    .action(async (text: string | undefined, options: { corpus?: boolean }) =>
      (await import('./sms-check-text-actions.ts')).runCheck(text, options),
    )
}

export function addTopUpShow(topUp: Command): void {
  topUp
    .command('show')
    .description('show a top-up with all that is known about it')
    .argument('<id>', 'as the list gives it')
    .addOption(outputOption('--picture <file>', 'write the picture that came with it to this file'))
    .addOption(forceOption)
    .addHelpText('after', '\nExample:\n  makola top-up show 0190a1b2-0000-7000-8000-000000000000 --picture receipt.png')
    .action(async (id: string, options: { picture?: OutputFile }) =>
      (await import('./top-ups/show-top-up.ts')).runTopUpShow(id, options),
    )
}
