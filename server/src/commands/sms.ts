import { type Command, Option } from 'commander'
import { receiptWays } from '../money/by-people/receipt-number.ts'
import type { SmsCorrectOptions, SmsCreditOptions } from './wallet-actions.ts'

const actions = () => import('./wallet-actions.ts')

export function registerSmsCommand(program: Command): void {
  const sms = program.command('sms').description('credit and correct SMS credits, try the content policy')
  sms
    .command('check-text')
    .description('whether the content policy (settings sms_content_rules and sms_receipt_score) blocks a text')
    .addHelpText('after', '\nExamples:\n  makola sms check-text "You have received GHS 50"\n  makola sms check-text --corpus')
    .argument('[text]', 'the text, in quotes')
    .option('--corpus', 'instead, count its mistakes on the 2,300 texts that come with it')
    .action(async (text: string | undefined, options: { corpus?: boolean }) =>
      (await import('./sms-actions.ts')).runCheck(text, options),
    )
  sms
    .command('credit')
    .description('credit SMS credits to an account; one credit is one segment to one recipient')
    .addHelpText('after', '\nExample:\n  makola sms credit --account ama@example.com --credits 1000 --id receipt-1042')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--credits <credits>', 'a whole number')
    .option('--note <note>', 'what for; kept with the credit')
    .option('--id <external-id>', 'a receipt’s number: the same id credits once; required when live')
    .addOption(new Option('--way <way>', 'how the money came: the number of --id is then one of that way').choices(receiptWays))
    .option('--by <person>', 'who does it; default: your user name here')
    .option('--yes', 'do not ask on a terminal')
    .action(async (options: SmsCreditOptions) => (await actions()).runSmsCredit(options))
  sms
    .command('correct')
    .description('take SMS credits back by the word of two people')
    .addHelpText(
      'after',
      '\nExample:\n  makola sms correct --account ama@example.com --credits -1000 --of receipt-1042 --reason "typed twice" --by kofi',
    )
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--credits <credits>', 'below 0: -1000 takes 1000 back')
    .requiredOption('--reason <text>', 'what was wrong')
    .requiredOption('--by <person>', 'who says so')
    .option('--of <credit>', 'the credit that was wrong: its id, or the --id that it was made with')
    .option('--yes', 'do not ask on a terminal')
    .action(async (options: SmsCorrectOptions) => (await actions()).runSmsCorrect(options))
}
