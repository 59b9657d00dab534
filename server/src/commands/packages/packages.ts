import type { Command } from 'commander'
import { forceOption, type OutputFile, outputArgument } from '../frame/output-file.ts'
import type { ScheduleAddOptions } from './packages-schedule-actions.ts'

const actions = () => import('./packages-actions.ts')
const scheduleActions = () => import('./packages-schedule-actions.ts')

export function registerPackagesCommand(program: Command): void {
  const packages = program
    .command('packages')
    .description('import and export the price list of data bundles')
    .addHelpText(
      'after',
      `
A price list is CSV with the columns network, volume_gb, price_customer, price_agent, price_dealer (GHS);
is_available and stock (empty: unlimited) where wanted; cost_<supplier> and code_<supplier> for each supplier.

Examples:
  makola packages import prices.csv --dry-run
  makola packages import prices.csv
  makola packages export prices.csv
  makola packages offers --closed
  makola packages reopen MTN 1 datakazina
  makola packages schedule add prices.csv --at 2027-01-31T06:00
  makola packages history MTN 1`,
    )
  packages
    .command('import')
    .description('bring packages to what a price list says: all of it or nothing')
    .argument('<file>', 'a CSV file')
    .option('--force', 'accept prices below a supplier’s cost')
    .option('--dry-run', 'show what would be new and what would change, and change nothing')
    .action(async (file: string, options: { force?: true; dryRun?: true }) => {
      const run = options.dryRun ? (await actions()).runPackagesDryRun : (await actions()).runPackagesImport
      await run(file, options.force ?? false)
    })
  packages
    .command('offers')
    .description('list what suppliers offer, with codes and costs; closed offers are those whose request a supplier refused')
    .option('--closed', 'only the closed ones')
    .action(async (options: { closed?: true }) => (await actions()).runPackagesOffers(options.closed ?? false))
  packages
    .command('reopen')
    .description('open an offer again that was closed because its supplier refused our request')
    .argument('<network>', 'such as MTN')
    .argument('<volume-gb>', 'such as 1')
    .argument('<supplier>', 'such as datakazina')
    .action(async (network: string, volumeGb: string, supplier: string) =>
      (await actions()).runPackagesReopen(network, volumeGb, supplier),
    )
  packages
    .command('export')
    .description('write the price list in the form that `import` takes')
    .addArgument(outputArgument('<file>', 'where to write it'))
    .addOption(forceOption)
    .action(async (file: OutputFile) => (await actions()).runPackagesExport(file))
  packages
    .command('history')
    .description('show who changed a package, when, and from what to what')
    .argument('<network>', 'such as MTN')
    .argument('<volume-gb>', 'such as 1')
    .action(async (network: string, volumeGb: string) => (await actions()).runPackagesHistory(network, volumeGb))
  registerSchedule(packages)
}

function registerSchedule(packages: Command): void {
  const schedule = packages
    .command('schedule')
    .description('let prices come into force together at a minute, and see what is scheduled')
  schedule
    .command('add')
    .description('schedule the prices of a price list; nothing else of it may differ from what there is')
    .argument('<file>', 'a CSV file, as for `import`')
    .requiredOption('--at <moment>', 'a whole minute in Ghana’s time, such as 2027-01-31T06:00')
    .option('--note <text>', 'what it is for; needed with --force')
    .option('--force', 'accept prices below a supplier’s cost')
    .option('--dry-run', 'show what would change at that minute, and schedule nothing')
    .action(async (file: string, options: ScheduleAddOptions) => (await scheduleActions()).runScheduleAdd(file, options))
  schedule
    .command('list')
    .description('list what waits for its minute, and what is held for a person')
    .option('--all', 'also what was carried out or cancelled')
    .action(async (options: { all?: true }) => (await scheduleActions()).runScheduleList(options.all ?? false))
  schedule
    .command('cancel')
    .description('cancel scheduled prices: they never come into force')
    .argument('<id>', 'from `list`')
    .option('--reason <text>', 'why')
    .action(async (id: string, options: { reason?: string }) => (await scheduleActions()).runScheduleCancel(id, options.reason))
  schedule
    .command('carry-out')
    .description('carry out prices that are held, although others were changed since they were scheduled')
    .argument('<id>', 'from `list`')
    .requiredOption('--reason <text>', 'why')
    .option('--force', 'accept prices below a supplier’s cost')
    .action(async (id: string, options: { reason: string; force?: true }) =>
      (await scheduleActions()).runScheduleCarryOut(id, options.reason, options.force ?? false),
    )
}
