import type { Command } from 'commander'
import type { NoticesListOptions } from './notices-actions.ts'

export function registerNoticesCommand(program: Command): void {
  const notices = program
    .command('notices')
    .description('what resellers were told by mail and SMS')
    .addHelpText(
      'after',
      `
Examples:
  makola notices list --account ama@example.com
  makola notices list --from 2027-01-01 --to 2027-01-31 --limit 1000 --json`,
    )
  notices
    .command('list')
    .description('list what resellers were told or are about to be told, newest first')
    .option('--account <account>', 'of one account: its id or e-mail')
    .option('--from <moment>', 'from this date or moment on, in ISO 8601')
    .option('--to <moment>', 'until this date or moment; a date alone counts whole')
    .option('--limit <count>', 'how many at most, up to 1000', '50')
    .option('--after <id>', 'what comes after this one: the `next` of the page before')
    .action(async (options: NoticesListOptions) => (await import('./notices-actions.ts')).runNoticesList(options))
}
