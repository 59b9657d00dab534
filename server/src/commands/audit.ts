import type { Command } from 'commander'
import type { AuditOptions } from './audit-actions.ts'

const actions = () => import('./audit-actions.ts')

export function registerAuditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'check the ledger and the orders against the rules that no row may break; exit 1 when one is broken. ' +
        'A ledger of more than 500,000 transfers is checked from its last proof on',
    )
    .option('--recent', 'only what is new since the last proof, as the timer does')
    .option('--full', 'every row, also those that were proven before; needs no secrets key')
    .option('--chain', 'instead: recompute the chains that the log, transfers and moves of orders are sealed in')
    .option('--from <moment>', 'with --chain: only what was sealed from this date or moment on')
    .option('--noted <heads...>', 'with --chain: these blocks must still be there, as `makola log --head` printed them')
    .option(
      '--heads <files...>',
      'with --chain: these files of heads too, such as copies of DATA_DIR/chain-heads.txt, which is always read',
    )
    .addHelpText(
      'after',
      `
Examples:
  makola audit
  makola audit --full
  makola audit --chain
  makola audit --chain --from 2027-01-01 --noted transfers:1042:5e01…`,
    )
    .action(async (options: AuditOptions) => (await actions()).runAuditCommand(options))
}
