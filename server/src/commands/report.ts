import { type Command, Option } from 'commander'
import { groupings } from '../reports/read-sales.ts'
import { forceOption, outputOption } from './frame/output-file.ts'
import type { ReportBalancesOptions, ReportStockOptions, ReportTaxOptions } from './report-actions.ts'
import type { ReportSalesOptions } from './report-sales-actions.ts'

const actions = () => import('./report-actions.ts')
const salesActions = () => import('./report-sales-actions.ts')

export function registerReportCommand(program: Command): void {
  const report = program
    .command('report')
    .description('what was sold and earned, what suppliers hold, what is owed to resellers, what stock is left')
    .addHelpText(
      'after',
      `
Days are those of Accra. Sales, refunds and costs stand on the day on which they happened: a refund of an old order on the
day of the refund. The worker keeps the figures; they are at most a minute old.

Examples:
  makola report sales                                     the last 30 days, day by day
  makola report sales --from 2026-11-01 --to 2026-11-30 --by network
  makola report sales --from 2026-01-01 --to 2026-12-31 --by month --csv year.csv
  makola report float                                     what suppliers hold, and how long it lasts
  makola report balances --at 2026-10-31                  what was owed to resellers at the end of October
  makola report vouchers
  makola report tax --from 2026-10-01 --to 2026-10-31     by the rates of the setting report_tax_rates`,
    )
  report
    .command('sales')
    .description('orders, sales, cost, commission, refunds and margin, beside the time before')
    .option('--from <day>', 'the first day, as 2026-11-01; else 29 days before the last one')
    .option('--to <day>', 'the last day, which counts whole; else today')
    .addOption(new Option('--by <what>', 'a line for each of these').choices(groupings).default('day'))
    .addOption(outputOption('--csv <file>', 'also write the lines to this file'))
    .addOption(forceOption)
    .action(async (options: ReportSalesOptions) => (await salesActions()).runReportSales(options))
  registerOtherReports(report)
  report
    .command('recount')
    .description('have the worker count all daily sums anew, for when the audit finds that somebody changed them')
    .action(async () => (await salesActions()).runReportRecount())
}

function registerOtherReports(report: Command): void {
  report
    .command('float')
    .description('what each supplier holds by the last balance read, and how many days it lasts')
    .addOption(outputOption('--csv <file>', 'also write the lines to this file'))
    .addOption(forceOption)
    .action(async (options: ReportStockOptions) => (await actions()).runReportFloat(options))
  report
    .command('balances')
    .description('what is owed to resellers: the sum of all wallets per purse')
    .option('--at <moment>', 'a day (its end) or a moment of the past; else now')
    .addOption(outputOption('--csv <file>', 'also write the lines to this file'))
    .addOption(forceOption)
    .action(async (options: ReportBalancesOptions) => (await actions()).runReportBalances(options))
  report
    .command('vouchers')
    .description('the stock of each voucher type, and how many days it lasts')
    .addOption(outputOption('--csv <file>', 'also write the lines to this file'))
    .addOption(forceOption)
    .action(async (options: ReportStockOptions) => (await actions()).runReportVouchers(options))
  report
    .command('tax')
    .description('what the rates of the setting report_tax_rates come to on the figures of a period')
    .option('--from <day>', 'the first day, as 2026-11-01; else 29 days before the last one')
    .option('--to <day>', 'the last day, which counts whole; else today')
    .addOption(outputOption('--csv <file>', 'also write the lines to this file'))
    .addOption(forceOption)
    .action(async (options: ReportTaxOptions) => (await actions()).runReportTax(options))
}
