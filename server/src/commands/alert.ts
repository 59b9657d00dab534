import type { Command } from 'commander'

const actions = () => import('./alert-actions.ts')

export function registerAlertCommand(program: Command): void {
  const alert = program
    .command('alert')
    .description('list and clear alarms, and try how they are told')
    .addHelpText(
      'after',
      `
Examples:
  makola setting set alert_email owner@example.com
  makola setting set alert_webhook_url https://hooks.example.com/makola
  makola alert test
  makola alert clear contradiction my-first-order`,
    )
  alert
    .command('list')
    .description('list the alarms that stand')
    .action(async () => (await actions()).runAlertList())
  alert
    .command('clear')
    .description('clear an alarm that a person has dealt with')
    .argument('<name>', 'its name, such as contradiction')
    .argument('<subject>', 'what it is about, as the list shows it')
    .action(async (name: string, subject: string) => (await actions()).runAlertClear(name, subject))
  alert
    .command('test')
    .description('send a test over every channel that is set up')
    .action(async () => (await actions()).runAlertTest())
}
