import type { Command } from 'commander'
import { forceOption, type OutputFile, outputOption } from '../frame/output-file.ts'

export function addTopUpShow(topUp: Command): void {
  topUp
    .command('show')
    .description('show a top-up with all that is known about it')
    .argument('<id>', 'as the list gives it')
    .addOption(outputOption('--picture <file>', 'write the picture that came with it to this file'))
    .addOption(forceOption)
    .addHelpText('after', '\nExample:\n  makola top-up show 0190a1b2-0000-7000-8000-000000000000 --picture receipt.png')
    .action(async (id: string, options: { picture?: OutputFile }) => (await import('./show-top-up.ts')).runTopUpShow(id, options))
}
