import type { Command } from 'commander'

export function addAlertTest(alert: Command): void {
  alert
    .command('test')
    .description('send a test over every channel that is set up')
    .action(async () => (await import('./alert-actions.ts')).runAlertTest())
}
