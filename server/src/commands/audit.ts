import type { Command } from 'commander'

const actions = () => import('./audit-actions.ts')

/** `makola audit`: does every pesewa have its reason? */
export function registerAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('check the whole ledger and every order against the rules that no row may break; exit 1 when one does')
    .option('--recent', 'only wallets since their last checkpoint and orders of the last two days, as the timer does')
    .action(async (options: { recent?: boolean }) => (await actions()).runAuditCommand({ isFull: !options.recent }))
}
