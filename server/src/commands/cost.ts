import type { Command } from 'commander'
import type { CostSetOptions } from './cost-actions.ts'

const actions = () => import('./cost-actions.ts')

export function registerCostCommand(program: Command): void {
  const cost = program
    .command('cost')
    .description('what vouchers, registrations, SMS segments and payment gateways cost, for the margin in reports')
    .addHelpText(
      'after',
      `
No supplier reports these costs. Until they are entered, reports show the cost with ≥ and the margin with ≤. A cost
counts from a moment on: of a batch from its import, else from now; --from names another one. The worker then counts the costs of the
days since then anew. What was entered before stays in the history.

Examples:
  makola cost list
  makola cost set results_checker --of 0190a1b2-0000-7000-8000-000000000000 --amount 15.50    a batch, or a type
  makola cost set afa --amount 8.00 --from 2026-10-01
  makola cost set sms --of smsc --amount 0.0255                                                  for each segment
  makola cost set top_ups --of paystack --percent 1.95`,
    )
  cost
    .command('list')
    .description('list everything whose cost can be entered, with what it costs now')
    .option('--history <count>', 'list so many of the entries instead, newest first')
    .action(async (options: { history?: string }) => (await actions()).runCostList(options))
  cost
    .command('set')
    .description('enter what a unit costs from a moment on')
    .argument('<product>', 'as `makola cost list` names it')
    .option('--of <cost-key>', 'the batch, type, link or gateway, as `makola cost list` names it')
    .option('--amount <amount>', 'in GHS for each unit, with up to 6 decimals')
    .option('--percent <percent>', 'of what is paid through a gateway')
    .option('--from <moment>', 'from when it counts, as 2026-10-01')
    .option('--note <text>', 'where it comes from, such as the number of an invoice')
    .action(async (product: string, options: CostSetOptions) => (await actions()).runCostSet(product, options))
}
