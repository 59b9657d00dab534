import type { Command } from 'commander'
import type { ReconcileOptions } from './reconcile-actions.ts'

const actions = () => import('./reconcile-actions.ts')

/** `makola reconcile`: a supplier's statement beside our orders. */
export function registerReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description('compare a supplier’s statement with our orders; changes nothing')
    .argument(
      '<file>',
      'a CSV file with a header: our reference, the amount, and where there are any commission, status and date',
    )
    .requiredOption('--supplier <name>', 'whose statement it is')
    .option('--from <moment>', 'the first day or moment that the statement covers, as ISO 8601; else its first line’s')
    .option('--to <moment>', 'the last day, which counts whole, or moment that the statement covers; else its last line’s')
    .addHelpText(
      'after',
      `
Orders delivered within the statement's time but missing in it are listed as ours only, lines that no delivered
order of ours explains as theirs only. An amount is compared with what the supplier reported, else with what we expected.

Examples:
  makola reconcile --supplier hubtel july.csv
  makola reconcile --supplier hubtel july.csv --from 2026-07-01 --to 2026-07-31 --json`,
    )
    .action(async (file: string, options: ReconcileOptions) => (await actions()).runReconcile(file, options))
}
