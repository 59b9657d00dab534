import type { Command } from 'commander'

const actions = () => import('./packages-actions.ts')

/** `makola packages …`: the price list of data bundles. */
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
  makola packages reopen MTN 1 datakazina`,
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
    .argument('<file>', 'where to write it')
    .action(async (file: string) => (await actions()).runPackagesExport(file))
}
