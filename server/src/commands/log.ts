import type { Command } from 'commander'
import type { LogOptions } from './log-actions.ts'

export function registerLogCommand(program: Command): void {
  program
    .command('log')
    .description('read the operator’s log: who changed what by hand, newest first')
    .option('--from <moment>', 'from this date or moment on, in ISO 8601')
    .option('--to <moment>', 'until this date or moment; a date alone counts whole')
    .option('--by <person>', 'of one person: the name given with --by, or the user who typed it')
    .option('--subject <text>', 'about one thing: a reference, a setting, an id, an account’s e-mail')
    .option('--limit <count>', 'how many at most, up to 1000', '50')
    .option('--before <id>', 'older than this line: the `next` of the page before')
    .option('--verify', 'recompute the chain that the log is sealed in; exit 1 when a line was altered, added or removed')
    .option('--noted <heads...>', 'with --verify: the log must still hold these blocks, as --head printed them')
    .option('--heads <files...>', 'with --verify: these files of heads too, such as copies of DATA_DIR/chain-heads.txt')
    .option('--head', 'print the newest sealed block of each chain, to be noted elsewhere')
    .addHelpText(
      'after',
      `
Examples:
  makola log --subject ama@example.com
  makola log --by kofi --from 2027-01-01 --to 2027-01-31 --limit 1000 --json
  makola log --head
  makola log --verify --from 2027-01-01`,
    )
    .action(async (options: LogOptions) => (await import('./log-actions.ts')).runLog(options))
}
