import type { Command } from 'commander'

const actions = () => import('./number-plan-actions.ts')

export function registerPrefixCommand(program: Command): void {
  const prefix = program
    .command('prefix')
    .description('show and change which prefixes belong to which network; in force on all processes within a second')
    .addHelpText('after', '\nExamples:\n  makola prefix list\n  makola prefix add 053 MTN\n  makola prefix remove 053 MTN')
  prefix
    .command('list')
    .description('list the prefixes with their networks')
    .action(async () => (await actions()).runPrefixList())
  prefix
    .command('add')
    .description('add a prefix to a network; AT stands for AT-iShare and AT-BigTime too')
    .argument('<prefix>', '3 digits starting with 0')
    .argument('<network>', 'MTN, Telecel or AT, or one of the networks of AT')
    .action(async (text: string, network: string) => (await actions()).runPrefixAdd(text, network))
  prefix
    .command('remove')
    .description('take a prefix from a network; its numbers are refused unless prefix_check is hint')
    .argument('<prefix>', '3 digits starting with 0')
    .argument('<network>', 'MTN, Telecel or AT, or one of the networks of AT')
    .action(async (text: string, network: string) => (await actions()).runPrefixRemove(text, network))
}
