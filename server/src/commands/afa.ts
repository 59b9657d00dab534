import { type Command, Option } from 'commander'
import type { AfaClaimOptions, AfaDecisionOptions, AfaExportOptions, AfaListOptions } from './afa-actions.ts'
import { forceOption, type OutputFile, outputArgument } from './frame/output-file.ts'

const actions = () => import('./afa-actions.ts')

const statuses = ['open', 'pending', 'processing', 'completed', 'cancelled', 'all']

export function registerAfaCommand(program: Command): void {
  const afa = program
    .command('afa')
    .description('work off AFA registrations')
    .addHelpText(
      'after',
      `
Examples:
  makola afa list
  makola afa claim --next 20 --by ama
  makola afa export batch-1.csv --status processing --reason "batch 1 for the MTN office"
  makola afa complete afa-2026-0001 --note "form 4711"
  makola afa cancel afa-2026-0002 --reason "card number does not exist"

Numbers of cards and dates of birth are masked in lists; whoever sees them gives a reason, which is logged.`,
    )
  afa
    .command('list')
    .description('list registrations, the oldest first')
    .addOption(
      new Option('--status <status>', 'only in this state; open: pending or processing').choices(statuses).default('open'),
    )
    .option('--reference <reference>', 'only this one, whatever its state')
    .option('--limit <count>', 'how many at most, up to 1000', '50')
    .option('--reveal', 'show the numbers of cards and dates of birth')
    .option('--reason <text>', 'why they must be seen; goes into the operator’s log')
    .action(async (options: AfaListOptions) => (await actions()).runAfaList(options))
  afa
    .command('claim')
    .description('take registrations to work on')
    .argument('[reference...]', 'their references')
    .option('--next <count>', 'instead: the oldest that nobody has taken, up to 100')
    .option('--by <person>', 'who works on them; default: your user name here')
    .action(async (references: string[], options: AfaClaimOptions) => (await actions()).runAfaClaim(references, options))
  addEndingCommands(afa)
}

function addEndingCommands(afa: Command): void {
  afa
    .command('take-over')
    .description('take a registration over from whoever works on it')
    .argument('<reference>', 'its reference')
    .requiredOption('--reason <text>', 'why')
    .option('--by <person>', 'who works on it now; default: your user name here')
    .action(async (reference: string, options: AfaDecisionOptions) => (await actions()).runAfaTakeOver(reference, options))
  afa
    .command('complete')
    .description('note that the person is registered')
    .argument('<reference>', 'its reference')
    .option('--note <text>', 'what shows it, such as the number of a form')
    .option('--by <person>', 'who says so; default: your user name here')
    .action(async (reference: string, options: AfaDecisionOptions) => (await actions()).runAfaComplete(reference, options))
  afa
    .command('cancel')
    .description('cancel a registration; its fee goes back unless afa_refund_on_cancel is off')
    .argument('<reference>', 'its reference')
    .requiredOption('--reason <text>', 'why')
    .option('--by <person>', 'who says so; default: your user name here')
    .action(async (reference: string, options: AfaDecisionOptions) => (await actions()).runAfaCancel(reference, options))
  afa
    .command('export')
    .description('write registrations with all their data to a CSV file')
    .addArgument(outputArgument('<file>', 'where to'))
    .addOption(new Option('--status <status>', 'only in this state').choices(statuses).default('open'))
    .requiredOption('--reason <text>', 'why the data must leave; goes into the operator’s log')
    .addOption(forceOption)
    .action(async (file: OutputFile, options: AfaExportOptions) => (await actions()).runAfaExport(file, options))
}
