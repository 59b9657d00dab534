import type { Command } from 'commander'
import type { NewMemberOptions, RemoveMemberOptions } from './member-actions.ts'

const actions = () => import('./member-actions.ts')

const accountOption = ['--account <account>', 'its id or e-mail'] as const
const emailOption = ['--email <email>', 'the person’s, with which it signs in'] as const

export function registerMemberCommand(program: Command): void {
  const member = program
    .command('member')
    .description('the persons who sign in with a browser for an account')
    .addHelpText(
      'after',
      `
Examples:
  makola member create --account ama@example.com --email kofi@example.com --role buyer
  makola member list --account ama@example.com
  makola member set-role --account ama@example.com --email kofi@example.com --role viewer
  makola member remove --account ama@example.com --email kofi@example.com
  makola member reset-second-factor --email kofi@example.com --reason "lost the phone, called from the number we know"`,
    )
  member
    .command('create')
    .description('let a person in; without a password a link to set one is printed')
    .requiredOption(...accountOption)
    .requiredOption(...emailOption)
    .requiredOption('--role <role>', 'owner, buyer or viewer')
    .option('--password-stdin', 'read the password from the standard input')
    .action(async (options: NewMemberOptions) => (await actions()).runMemberCreate(options))
  member
    .command('list')
    .description('list the persons of an account')
    .requiredOption(...accountOption)
    .action(async (options: { account: string }) => (await actions()).runMemberList(options.account))
  member
    .command('set-role')
    .description('give a person of an account another role; the last owner stays owner')
    .requiredOption(...accountOption)
    .requiredOption(...emailOption)
    .requiredOption('--role <role>', 'owner, buyer or viewer')
    .action(async (options: RemoveMemberOptions & { role: string }) => (await actions()).runMemberSetRole(options))
  member
    .command('remove')
    .description('take a person out of an account, and end its sessions')
    .requiredOption(...accountOption)
    .requiredOption(...emailOption)
    .action(async (options: RemoveMemberOptions) => (await actions()).runMemberRemove(options))
  member
    .command('reset-second-factor')
    .description('take a lost second factor away; sessions end, the password stays, a mail tells the person')
    .requiredOption(...emailOption)
    .requiredOption('--reason <text>', 'why, and how you know who asks')
    .action(async (options: { email: string; reason: string }) =>
      (await import('./staff-actions.ts')).runResetSecondFactor(options),
    )
}
