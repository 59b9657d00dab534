import type { Command } from 'commander'
import type { FloatTopUpOptions } from './float-actions.ts'

const actions = () => import('./supplier-actions.ts')

export function registerSupplierCommand(program: Command): void {
  const supplier = program.command('supplier').description('the suppliers that fulfil orders')
  supplier
    .command('list')
    .description('list the suppliers, without their secrets')
    .action(async () => (await actions()).runSupplierList())
  supplier
    .command('packages')
    .description("show a supplier's own price list, in the codes that `packages import` takes")
    .argument('<name>', 'its name, such as datakazina')
    .action(async (name: string) => (await import('./list-supplier-packages.ts')).runSupplierPackages(name))
  supplier
    .command('float-topup')
    .description('note money that was put in at a supplier, or taken out; moves nothing')
    .argument('<name>', 'its name, such as datamart')
    .requiredOption('--amount <amount>', 'in GHS: 500.00 was put in, -3.50 was taken out, as by a fee')
    .requiredOption('--note <text>', 'how: a transfer’s number, a fee')
    .requiredOption('--by <person>', 'who did it')
    .option('--at <moment>', 'when, in ISO 8601; left out: now')
    .action(async (name: string, options: FloatTopUpOptions) => (await import('./float-actions.ts')).runFloatTopUp(name, options))
  supplier
    .command('set')
    .description('add or change a supplier; every process follows within a second')
    .argument('<name>', 'its name, such as datamart')
    .argument('<key=value...>', 'what to set')
    .addHelpText(
      'after',
      `
Keys: enabled, base_url, slots, requests_per_second, adapter, credentials.NAME, settings.NAME

Examples:
  makola supplier set datamart base_url=https://api.datamartgh.shop credentials.apiKey=@key.txt credentials.webhookSecret=@secret.txt
  makola supplier set datamart slots=16 requests_per_second=2
  makola supplier set datamart 'settings.networks={"AT-BigTime":"AT_BIGTIME"}'
  makola supplier set datamart enabled=false`,
    )
    .option('--by <person>', 'who does it; default: your user name here')
    .action(async (name: string, words: string[], options: { by?: string }) =>
      (await actions()).runSupplierSet(name, words, options),
    )
}
