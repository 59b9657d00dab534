import type { Command } from 'commander'

const actions = () => import('./secrets-actions.ts')

export function registerSecretsCommand(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('change the key that secrets are sealed with')
    .addHelpText(
      'after',
      `
To change the key, with everything running on:
  1. Make one: openssl rand -base64 32
  2. Put it on the second line of the SECRETS_KEY_FILE of every process (without one: of DATA_DIR/secrets.key) and
     restart them: they can open with both.
  3. Move it to the first line and restart again: from now on it seals.
  4. makola secrets rotate
  5. When that says that nothing is left, take the old line away.
Backups made before need the old key: keep it as long as you keep them.`,
    )
  secrets
    .command('rotate')
    .description('seal every secret anew with the first key; may be stopped and run again')
    .action(async () => (await actions()).runSecretsRotate())
}
