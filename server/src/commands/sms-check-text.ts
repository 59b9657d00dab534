import type { Command } from 'commander'

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
