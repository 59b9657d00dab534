import type { Command } from 'commander'
import type { AssignDifferenceOptions, CloseDifferenceOptions, DifferencesOptions } from './differences-actions.ts'
import type { ReconcileFloatOptions } from './float-actions.ts'
import type { ReconcileOptions } from './reconcile-actions.ts'

const actions = () => import('./reconcile-actions.ts')
const differenceActions = () => import('./differences-actions.ts')
const idArgument = ['<id>', 'its id, as `makola reconcile differences` shows it'] as const

export function registerReconcileCommand(program: Command): void {
  const reconcile = program
    .command('reconcile')
    .description('compare a supplier’s statement with our orders and import it; explain the differences')
    .argument(
      '[file]',
      'a CSV file with a header: our reference, the amount, and where there are any commission, status and date',
    )
    .option('--supplier <name>', 'whose statement it is')
    .option('--from <moment>', 'the first day or moment that the statement covers, as ISO 8601; else its first line’s')
    .option('--to <moment>', 'the last day, which counts whole, or moment that the statement covers; else its last line’s')
    .addHelpText(
      'after',
      `
Orders delivered within the statement's time but missing in it are listed as ours only, lines that no delivered
order of ours explains as theirs only. An amount is compared with what the supplier reported, else with what we expected.
No order and no money changes. Each file is imported once; a later one may explain what an earlier one left open.

Examples:
  makola reconcile --supplier hubtel july.csv
  makola reconcile --supplier hubtel july.csv --from 2026-07-01 --to 2026-07-31 --json
  makola reconcile differences --supplier hubtel --open
  makola reconcile float --supplier hubtel --from 2026-07-01 --to 2026-07-31`,
    )
    .action(async (file: string | undefined, options: ReconcileOptions) => (await actions()).runReconcile(file, options))
  // `reconcile` reads its own options anywhere on the line, even after a subcommand.
  reconcile
    .command('differences')
    .description('list what statements and our books say differently, newest first')
    .option('--supplier <name>', 'of one supplier')
    .option('--open', 'only those that nobody and no later statement has explained')
    .option('--limit <count>', 'how many at most, up to 1000', '100')
    .option('--after <id>', 'what comes after this one: the `next` of the page before')
    .action(async (_, command: Command) =>
      (await differenceActions()).runDifferences(command.optsWithGlobals<DifferencesOptions>()),
    )
  reconcile
    .command('float')
    .description('compare, day by day, how a supplier’s float moved with what your books expect')
    .option('--supplier <name>', 'whose float')
    .option('--from <day>', 'the first day, in Accra; left out: six days before the last')
    .option('--to <day>', 'the last day; left out: today')
    .action(async (_, command: Command) =>
      (await import('./float-actions.ts')).runReconcileFloat(command.optsWithGlobals<ReconcileFloatOptions>()),
    )
  reconcile
    .command('assign')
    .description('give a difference to a person to find out about')
    .argument(...idArgument)
    .option('--to <person>', 'who finds out')
    .requiredOption('--by <person>', 'who says so')
    .action(async (id: string, _, command: Command) =>
      (await differenceActions()).runAssign(id, command.optsWithGlobals<AssignDifferenceOptions>()),
    )
  reconcile
    .command('close')
    .description('close a difference that has been explained')
    .argument(...idArgument)
    .requiredOption('--reason <text>', 'what explains it')
    .requiredOption('--by <person>', 'who says so')
    .action(async (id: string, options: CloseDifferenceOptions) => (await differenceActions()).runClose(id, options))
}
