import type { Command } from 'commander'
import type { NewMemberOptions, NewStaffOptions } from './create-actions.ts'

const actions = () => import('./create-actions.ts')

const emailOption = ['--email <email>', 'the person’s, with which it signs in'] as const
const passwordOption = ['--password-stdin', 'read the password from the standard input'] as const

export function addMemberCreate(member: Command): void {
  member
    .command('create')
    .description('let a person in; without a password a link to set one is printed')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption(...emailOption)
    .requiredOption('--role <role>', 'owner, buyer or viewer')
    .option(...passwordOption)
    .addHelpText('after', '\nExample:\n  makola member create --account ama@example.com --email kofi@example.com --role buyer')
    .action(async (options: NewMemberOptions) => (await actions()).runMemberCreate(options))
}

export function addStaffCreate(staff: Command): void {
  staff
    .command('create')
    .description('let a person in; without a password a link to set one is printed. A role with rights takes two people')
    .requiredOption(...emailOption)
    .requiredOption('--role <role>', 'owner, finance, support, catalogue or auditor')
    .option(...passwordOption)
    .option('--by <person>', 'who lets the person in; default: your user name here')
    .addHelpText('after', '\nExample:\n  makola staff create --email ama@example.com --role owner')
    .action(async (options: NewStaffOptions) => (await actions()).runStaffCreate(options))
}
