import type { Command } from 'commander'
import type { NewStaffOptions } from './staff-actions.ts'

const actions = () => import('./staff-actions.ts')

const emailOption = ['--email <email>', 'the person’s, with which it signs in'] as const

/** `makola staff …`: who signs in with a browser for the operator. */
export function registerStaffCommand(program: Command): void {
  const staff = program
    .command('staff')
    .description('the operator’s own persons who sign in with a browser')
    .addHelpText(
      'after',
      `
Examples:
  makola staff create --email ama@example.com --role owner
  makola staff list
  makola staff remove --email ama@example.com`,
    )
  staff
    .command('create')
    .description('let a person in; without a password a link to set one is printed')
    .requiredOption(...emailOption)
    .requiredOption('--role <role>', 'owner, finance, support, catalogue or auditor')
    .option('--password-stdin', 'read the password from the standard input')
    .action(async (options: NewStaffOptions) => (await actions()).runStaffCreate(options))
  staff
    .command('list')
    .description('list the staff')
    .action(async () => (await actions()).runStaffList())
  staff
    .command('remove')
    .description('take a person off the staff, and end its sessions')
    .requiredOption(...emailOption)
    .action(async (options: { email: string }) => (await actions()).runStaffRemove(options.email))
}
