import type { Command } from 'commander'
import type { NewStaffOptions } from './staff-actions.ts'

const actions = () => import('./staff-actions.ts')

const emailOption = ['--email <email>', 'the person’s, with which it signs in'] as const

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
  makola staff set-role --email kofi@example.com --role finance
  makola staff reset-second-factor --email kofi@example.com --reason "lost the phone, called from the number we know"
  makola staff remove --email ama@example.com`,
    )
  staff
    .command('create')
    .description('let a person in; without a password a link to set one is printed. A role with rights takes two people')
    .requiredOption(...emailOption)
    .requiredOption('--role <role>', 'owner, finance, support, catalogue or auditor')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--by <person>', 'who lets the person in; default: your user name here')
    .action(async (options: NewStaffOptions) => (await actions()).runStaffCreate(options))
  staff
    .command('list')
    .description('list the staff')
    .action(async () => (await actions()).runStaffList())
  staff
    .command('set-role')
    .description('give one of the staff another role; what adds rights takes two people')
    .requiredOption(...emailOption)
    .requiredOption('--role <role>', 'owner, finance, support, catalogue or auditor')
    .option('--by <person>', 'who gives it; default: your user name here')
    .action(async (options: { email: string; role: string; by?: string }) => (await actions()).runStaffSetRole(options))
  staff
    .command('remove')
    .description('take a person off the staff, and end its sessions; the last owner stays')
    .requiredOption(...emailOption)
    .option('--reason <text>', 'why')
    .action(async (options: { email: string; reason?: string }) => (await actions()).runStaffRemove(options))
  staff
    .command('end-sessions')
    .description('end every session of one of the staff')
    .requiredOption(...emailOption)
    .action(async (options: { email: string }) => (await actions()).runStaffEndSessions(options.email))
  staff
    .command('reset-second-factor')
    .description('take a lost second factor away; sessions end, the password stays, a mail tells the person')
    .requiredOption(...emailOption)
    .requiredOption('--reason <text>', 'why, and how you know who asks')
    .action(async (options: { email: string; reason: string }) => (await actions()).runResetSecondFactor(options))
}
