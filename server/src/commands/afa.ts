import { type Command, Option } from 'commander'
import type { AfaExportOptions } from './afa-actions.ts'
import { forceOption, type OutputFile, outputArgument } from './frame/output-file.ts'

export function addAfaExport(afa: Command): void {
  afa
    .command('export')
    .description('write registrations with all their data to a CSV file')
    .addArgument(outputArgument('<file>', 'where to'))
    .addOption(
      new Option('--status <status>', 'only in this state; open: pending or processing')
        .choices(['open', 'pending', 'processing', 'completed', 'cancelled', 'all'])
        .default('open'),
    )
    .requiredOption('--reason <text>', 'why the data must leave; goes into the operator’s log')
    .addOption(forceOption)
    .action(async (file: OutputFile, options: AfaExportOptions) => (await import('./afa-actions.ts')).runAfaExport(file, options))
}
