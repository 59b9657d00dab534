import type { Command } from 'commander'
import type { PortedListOptions } from './number-plan-actions.ts'

const actions = () => import('./number-plan-actions.ts')

export function registerPortedCommand(program: Command): void {
  const ported = program
    .command('ported')
    .description('show and change which numbers were carried to another network; in force on all processes within a second')
    .addHelpText('after', '\nExamples:\n  makola ported set 0241234567 Telecel\n  makola ported remove 0241234567')
  ported
    .command('list')
    .description('list the numbers, the newest first')
    .option('--limit <count>', 'how many at most, up to 100000', '100')
    .action(async (options: PortedListOptions) => (await actions()).runPortedList(options))
  ported
    .command('set')
    .description('note that a number is one of this operator now')
    .argument('<number>', '10 digits starting with 0')
    .argument('<operator>', 'MTN, Telecel or AT')
    .action(async (number: string, network: string) => (await actions()).runPortedSet(number, network))
  ported
    .command('remove')
    .description('let the prefix of a number count again')
    .argument('<number>', '10 digits starting with 0')
    .action(async (number: string) => (await actions()).runPortedRemove(number))
}
