import type { Command } from 'commander'
import type { NewAccountOptions, NoticeSettingsOptions, RoleOptions } from './account-actions.ts'

const actions = () => import('./account-actions.ts')

const accountOption = ['--account <account>', 'its id or e-mail'] as const
const roleOption = ['--role <role>', 'customer, agent or dealer'] as const
const expiryOption = ['--expires-at <moment>', 'when the role ends, in ISO 8601; left out: never'] as const

function registerPermissions(account: Command): void {
  account
    .command('suspend')
    .description('refuse all keys of an account from now on; orders already placed go on')
    .requiredOption(...accountOption)
    .action(async (options: { account: string }) => (await actions()).runAccountSetStatus(options.account, 'suspended'))
  account
    .command('reactivate')
    .description('let a suspended account in again')
    .requiredOption(...accountOption)
    .action(async (options: { account: string }) => (await actions()).runAccountSetStatus(options.account, 'active'))
  account
    .command('approve-business')
    .description('approve an account as a business, so that it may send SMS')
    .requiredOption(...accountOption)
    .action(async (options: { account: string }) => (await actions()).runAccountSetBusiness(options.account, true))
  account
    .command('decline-business')
    .description('decline the request of an account to be approved as a business, with a notice of the reason')
    .requiredOption(...accountOption)
    .requiredOption('--reason <reason>', 'what the account must correct; the notice has these words')
    .action(async (options: { account: string; reason: string }) => (await actions()).runBusinessDecline(options))
  account
    .command('business-requests')
    .description('list the accounts that ask to be approved as a business, oldest first')
    .action(async () => (await actions()).runBusinessRequests())
  account
    .command('withdraw-business')
    .description('take that approval back; campaigns already accepted go on')
    .requiredOption(...accountOption)
    .action(async (options: { account: string }) => (await actions()).runAccountSetBusiness(options.account, false))
}

export function registerAccountCommand(program: Command): void {
  const account = program
    .command('account')
    .description('create resellers’ accounts, change their roles, suspend them')
    .addHelpText(
      'after',
      `
Examples:
  makola account create --email ama@example.com --name "Ama Mensah" --role agent
  makola account set-role --account ama@example.com --role dealer --expires-at 2027-12-31
  makola account set-notices --account ama@example.com --low-balance 50.00 --phone 0241234567
  makola account suspend --account ama@example.com`,
    )
  account
    .command('create')
    .description('create an account with its wallets')
    .requiredOption('--email <email>', 'unique; how the account is named on the command line')
    .requiredOption('--name <name>', 'the person or business')
    .requiredOption(...roleOption)
    .option(...expiryOption)
    .option('--business', 'approved for SMS')
    .action(async (options: NewAccountOptions) => (await actions()).runAccountCreate(options))
  account
    .command('set-role')
    .description('give an account another role, for life or until a moment')
    .requiredOption(...accountOption)
    .requiredOption(...roleOption)
    .option(...expiryOption)
    .action(async (options: RoleOptions) => (await actions()).runAccountSetRole(options))
  account
    .command('set-notices')
    .description('set below which balance an account gets a notice, and the number for its SMS')
    .requiredOption(...accountOption)
    .option('--low-balance <amount>', 'tell it when the main wallet holds less, in GHS such as 50.00; `off`: never')
    .option('--phone <number>', 'its number, for SMS where the setting reseller_sms_notices allows them; `off`: none')
    .action(async (options: NoticeSettingsOptions) => (await actions()).runAccountSetNotices(options))
  registerPermissions(account)
  account
    .command('show')
    .description('show an account, its balances, its keys and when they were last used')
    .requiredOption(...accountOption)
    .action(async (options: { account: string }) => (await actions()).runAccountShow(options.account))
  account
    .command('list')
    .description('list all accounts')
    .action(async () => (await actions()).runAccountList())
}
