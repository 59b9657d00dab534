import type { Command } from 'commander'
import type { DecideSenderOptions, ListSendersOptions, RequestSenderOptions } from './sender-actions.ts'

const actions = () => import('./sender-actions.ts')

export function registerSenderCommand(program: Command): void {
  const sender = program
    .command('sender')
    .description('the names under which SMS are sent: of accounts, and of the pool that everybody may use')
    .addHelpText(
      'after',
      `
Examples:
  makola sender pool add MyShopGH --default
  makola sender list --status requested
  makola sender request AmaStores --account ama@example.com
  makola sender approve AmaStores --account ama@example.com
  makola sender reject MTN --account ama@example.com --reason "the name of a telecom"`,
    )
  sender
    .command('list')
    .description('list the senders')
    .option('--account <account>', 'only those of this account: its id or e-mail')
    .option('--status <status>', 'requested, approved or rejected')
    .action(async (options: ListSendersOptions) => (await actions()).runSenderList(options))
  sender
    .command('request')
    .description('ask for a sender of an account’s own, for the account')
    .argument('<sender>', '3 to 11 letters and digits, or a number of 3 to 15')
    .requiredOption('--account <account>', 'its id or e-mail')
    .action(async (name: string, options: RequestSenderOptions) => (await actions()).runSenderRequest(name, options))
  sender
    .command('approve')
    .description('approve a sender; the first one of an account becomes its default')
    .argument('<sender>')
    .requiredOption('--account <account>', 'its id or e-mail')
    .option('--default', 'make it the default of the account')
    .action(async (name: string, options: DecideSenderOptions) => (await actions()).runSenderDecision(name, 'approved', options))
  sender
    .command('reject')
    .description('reject a sender, also one that was approved')
    .argument('<sender>')
    .requiredOption('--account <account>', 'its id or e-mail')
    .option('--reason <reason>', 'why')
    .action(async (name: string, options: DecideSenderOptions) => (await actions()).runSenderDecision(name, 'rejected', options))
  sender
    .command('pool')
    .description('the senders of the pool')
    .command('add')
    .description('add a sender that everybody may use')
    .argument('<sender>')
    .option('--default', 'make it the default of the pool')
    .action(async (name: string, options: { default?: boolean }) => (await actions()).runPoolAdd(name, options.default === true))
}
