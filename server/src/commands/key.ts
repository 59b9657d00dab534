import type { Command } from 'commander'
import type { ListKeysOptions, NewKeyOptions } from './key-actions.ts'

const actions = () => import('./key-actions.ts')

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
  makola key list --pending
  makola key allow 0190a1b2-… 203.0.113.0/24
  makola key revoke 0190a1b2-…`,
    )
  key
    .command('create')
    .description('create a key and show it, once; the account’s previous key of that type is revoked')
    .requiredOption('--account <account>', 'its id or e-mail')
    .requiredOption('--type <type>', 'standard, sms or commission')
    .option('--pending', 'the key works only after `makola key approve`; not of SMS keys, which are active at once')
    .action(async (options: NewKeyOptions) => (await actions()).runKeyCreate(options))
  key
    .command('approve')
    .description('let a pending key in')
    .argument('<key-id>')
    .action(async (keyId: string) => (await actions()).runKeyApprove(keyId))
  key
    .command('revoke')
    .description('refuse a key for good, or decline one that waits')
    .argument('<key-id>')
    .option('--reason <text>', 'why; its account is told')
    .action(async (keyId: string, options: { reason?: string }) => (await actions()).runKeyRevoke(keyId, options))
  key
    .command('allow')
    .description('set from which addresses a key may be used; without an address: from everywhere')
    .argument('<key-id>')
    .argument('[address...]', 'addresses or networks, such as 203.0.113.7 or 2001:db8::/32')
    .action(async (keyId: string, addresses: string[]) => (await actions()).runKeyAllow(keyId, addresses))
  key
    .command('list')
    .description('list the keys of all accounts or of one, newest first; never the keys themselves')
    .option('--account <account>', 'its id or e-mail')
    .option('--pending', 'only those that wait for an approval')
    .action(async (options: ListKeysOptions) => (await actions()).runKeyList(options))
}
