import type { Command } from 'commander'
import type { NewKeyOptions } from './key-actions.ts'

const actions = () => import('./key-actions.ts')

/** `makola key …`: the keys that resellers' programs send. */
export function registerKeyCommand(program: Command): void {
  const key = program
    .command('key')
    .description('create, approve and revoke API keys')
    .addHelpText(
      'after',
      `
Examples:
  makola key create --account ama@example.com --type standard
  makola key create --account ama@example.com --type sms --json
  makola key revoke 0190a1b2-…`,
    )
  key
    .command('create')
    .description('create a key and show it, once; the account’s previous key of that type is revoked')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--type <type>', 'standard, sms or commission')
    .option('--pending', 'the key works only after `makola key approve`')
    .action(async (options: NewKeyOptions) => (await actions()).runKeyCreate(options))
  key
    .command('approve')
    .description('let a pending key in')
    .argument('<key-id>')
    .action(async (keyId: string) => (await actions()).runKeyApprove(keyId))
  key
    .command('revoke')
    .description('refuse a key for good')
    .argument('<key-id>')
    .action(async (keyId: string) => (await actions()).runKeyRevoke(keyId))
  key
    .command('list')
    .description('list the keys of an account; never the keys themselves')
    .requiredOption('--account <account>', 'its id or e-mail')
    .action(async (options: { account: string }) => (await actions()).runKeyList(options.account))
}
