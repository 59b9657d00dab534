import type { Command } from 'commander'

export function registerFindCommand(program: Command): void {
  program
    .command('find')
    .description('say what a text is: a number, reference, id, name, key, serial number; and what to type next')
    .argument('<text...>', 'what somebody told you')
    .addHelpText(
      'after',
      `
Examples:
  makola find 024 123 4567               orders to it, its registration, whose number it is
  makola find my-first-order             an order, by any reference: ours, the reseller's, the supplier's
  makola find ama                        accounts, by e-mail or the beginning of a name
  makola find receipt-1041               a credit, by the id that it was made with
  makola find -- -x7f3                   a text that begins with a dash

Also: ids of any kind, the last four characters of a key, a voucher's serial number, a request id.`,
    )
    .action(async (words: string[]) => (await import('./find-actions.ts')).runFind(words.join(' ')))
}
