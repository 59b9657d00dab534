import type { Command } from 'commander'

const actions = () => import('./gateway-actions.ts')

export function registerGatewayCommand(program: Command): void {
  const gateway = program.command('gateway').description('the payment gateways that take resellers’ top-ups')
  gateway
    .command('list')
    .description('list the gateways, without their secrets')
    .action(async () => (await actions()).runGatewayList())
  gateway
    .command('set')
    .description('set up a gateway, or change it; other credentials take two people once money has moved')
    .argument('<name>', 'its name: paystack or mtn-momo')
    .argument('<key=value...>', 'what to set: enabled, base_url, credentials.NAME')
    .addHelpText(
      'after',
      `
Examples:
  makola gateway set paystack credentials.secretKey=@secret-key.txt
  makola gateway set mtn-momo credentials.apiUser=@user.txt credentials.apiKey=@key.txt credentials.subscriptionKey=@subscription.txt credentials.targetEnvironment=mtnghana
  makola gateway set paystack enabled=false`,
    )
    .option('--by <person>', 'who does it; default: your user name here')
    .action(async (name: string, words: string[], options: { by?: string }) =>
      (await actions()).runGatewaySet(name, words, options),
    )
  gateway
    .command('test')
    .description('ask a gateway about a payment that there never was: is it reached, with our credentials?')
    .argument('<name>', 'its name: paystack or mtn-momo')
    .action(async (name: string) => (await actions()).runGatewayTest(name))
}
