import type { Command } from 'commander'
import type { SettingKeepOptions, SettingSetOptions } from './setting-actions.ts'

const actions = () => import('./setting-actions.ts')

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
  makola setting set biller_enabled.ecg false --reason "ECG is down" --until 4h
  makola setting returns
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
    .option('--reason <text>', 'why, for the operator’s log')
    .option('--by <person>', 'who does it; default: your user name here')
    .option('--until <time>', 'when it returns to its value of before by itself: a moment, or a time such as 15m, 4h, 2d')
    .action(async (name: string, value: string, options: SettingSetOptions) =>
      (await actions()).runSettingSet(name, value, options),
    )
  setting
    .command('returns')
    .description('list the settings that return to their values of before by themselves')
    .action(async () => (await actions()).runSettingReturns())
  setting
    .command('keep')
    .description('cancel the return of a setting: it keeps the value that it has')
    .argument('<name>')
    .option('--reason <text>', 'why, for the operator’s log')
    .option('--by <person>', 'who does it; default: your user name here')
    .action(async (name: string, options: SettingKeepOptions) => (await actions()).runSettingKeep(name, options))
  setting
    .command('list')
    .description('list all settings with what they allow')
    .action(async () => (await actions()).runSettingList())
}
