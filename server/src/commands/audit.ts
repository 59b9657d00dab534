import type { Command } from 'commander'
import type { AuditOptions } from './audit-actions.ts'

const actions = () => import('./audit-actions.ts')

export function registerAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('check the whole ledger and every order against the rules that no row may break; exit 1 when one does')
    .option('--recent', 'only wallets since their last checkpoint and orders of the last two days, as the timer does')
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
  makola audit --chain
  makola audit --chain --from 2027-01-01 --noted transfers:1042:5e01…`,
    )
    .action(async (options: AuditOptions) => (await actions()).runAuditCommand(options))
}
