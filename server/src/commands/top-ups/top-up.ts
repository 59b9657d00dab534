import { type Command, Option } from 'commander'
import { forceOption, outputOption } from '../frame/output-file.ts'
import type { ConfirmTopUpOptions, DeclineTopUpOptions, ListTopUpsOptions, ShowTopUpOptions } from './top-up-actions.ts'

const actions = () => import('./top-up-actions.ts')

export function registerTopUpCommand(program: Command): void {
  const topUp = program
    .command('top-up')
    .description('money that resellers pay in: what waits for a person, and what gateways said')
    .addHelpText(
      'after',
      `
Examples:
  makola top-up list --state waiting
  makola top-up show 0190a1b2-0000-7000-8000-000000000000 --picture receipt.png
  makola top-up confirm 0190a1b2-0000-7000-8000-000000000000 --by kofi
  makola top-up decline 0190a1b2-0000-7000-8000-000000000000 --reason "no such transfer came" --by kofi

A transfer above the setting credit_limit_one_person takes two people: one runs \`confirm\`, another one as well, or
\`makola approvals confirm\`.`,
    )
  topUp
    .command('list')
    .description('list top-ups, newest first; without --state those that wait for a person')
    .option('--account <account>', 'only those of this account: its id or e-mail')
    .addOption(
      new Option('--state <state>', 'only those in this state').choices([
        'pending',
        'waiting',
        'credited',
        'failed',
        'expired',
        'held',
        'declined',
      ]),
    )
    .option('--limit <n>', 'so many at most, up to 1000', '100')
    .option('--after <cursor>', 'the page after this one: its `next`')
    .action(async (options: ListTopUpsOptions) => (await actions()).runTopUpList(options))
  topUp
    .command('show')
    .description('show a top-up with all that is known about it')
    .argument('<id>', 'as the list gives it')
    .addOption(outputOption('--picture <file>', 'write the picture that came with it to this file'))
    .addOption(forceOption)
    .action(async (id: string, options: ShowTopUpOptions) => (await actions()).runTopUpShow(id, options))
  topUp
    .command('confirm')
    .description('say that the money of a transfer is there: the wallet is credited')
    .argument('<id>', 'as the list gives it')
    .requiredOption('--by <person>', 'who has seen the money')
    .option('--yes', 'do not ask on a terminal')
    .action(async (id: string, options: ConfirmTopUpOptions) => (await actions()).runTopUpConfirm(id, options))
  topUp
    .command('decline')
    .description('end a transfer, or a top-up that is held, without money')
    .argument('<id>', 'as the list gives it')
    .requiredOption('--reason <text>', 'why; the reseller reads it')
    .requiredOption('--by <person>', 'who says so')
    .action(async (id: string, options: DeclineTopUpOptions) => (await actions()).runTopUpDecline(id, options))
}
