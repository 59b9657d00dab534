import type { Command } from 'commander'

const actions = () => import('./setting-actions.ts')

/** `makola setting …`: the operator's switches. */
export function registerSettingCommand(program: Command): void {
  const setting = program
    .command('setting')
    .description('show and change the operator’s switches; in force on all processes within a second')
    .addHelpText(
      'after',
      `
Examples:
  makola setting list
  makola setting set data_enabled false
  makola setting set registration_servers [1]
  makola setting set rate_limits '{"POST /data/purchase": 600}'`,
    )
  setting
    .command('get')
    .description('show one setting')
    .argument('<name>')
    .action(async (name: string) => (await actions()).runSettingGet(name))
  setting
    .command('set')
    .description('change one setting')
    .argument('<name>')
    .argument('<value>', 'JSON or plain text')
    .action(async (name: string, value: string) => (await actions()).runSettingSet(name, value))
  setting
    .command('list')
    .description('list all settings with what they allow')
    .action(async () => (await actions()).runSettingList())
}
