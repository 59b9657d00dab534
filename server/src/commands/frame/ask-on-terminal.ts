import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { CommandError } from './command-error.ts'

type Terminal = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream }

/**
 * Asks before an action that cannot simply be undone. Asks only on a terminal, so that scripts run on. Asks on stderr, because
 * stdout holds only the result.
 * @throws CommandError unless the answer is yes
 */
export async function askOnTerminal(
  question: string,
  isSure: boolean,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (isSure || !input.isTTY || !output.isTTY) return
  const lines = createInterface({ input, output })
  try {
    // A terminal that is closed counts as no.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed])
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.')
  } finally {
    lines.close()
  }
}
