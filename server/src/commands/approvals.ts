import type { Command } from 'commander'
import type { ConfirmOptions, ListApprovalsOptions, RefuseOptions } from './approvals-actions.ts'

const actions = () => import('./approvals-actions.ts')

export function registerApprovalsCommand(program: Command): void {
  const approvals = program
    .command('approvals')
    .description('list, confirm and refuse what takes two people')
    .addHelpText(
      'after',
      `
Examples:
  makola approvals list
  makola approvals confirm 0190a1b2-… --by kofi
  makola approvals refuse 0190a1b2-… --by kofi --reason "the receipt says 100"

A proposal waits for 7 days. Nobody confirms their own; refusing takes one's own proposal back.`,
    )
  approvals
    .command('list')
    .description('list what waits, newest first')
    .option('--all', 'what was decided, too')
    .option('--limit <count>', 'how many at most, up to 1000', '100')
    .option('--after <approval-id>', 'the page after this one: the `next` of the page before')
    .action(async (options: ListApprovalsOptions) => (await actions()).runApprovalsList(options))
  approvals
    .command('confirm')
    .description('confirm a proposal of somebody else, and do what it says')
    .argument('<approval-id>')
    .requiredOption('--by <person>', 'who confirms')
    .option('--yes', 'do not ask on a terminal')
    .action(async (id: string, options: ConfirmOptions) => (await actions()).runApprovalsConfirm(id, options))
  approvals
    .command('refuse')
    .description('refuse a proposal, so that it cannot be confirmed any more')
    .argument('<approval-id>')
    .requiredOption('--by <person>', 'who refuses')
    .option('--reason <text>', 'why')
    .action(async (id: string, options: RefuseOptions) => (await actions()).runApprovalsRefuse(id, options))
}
