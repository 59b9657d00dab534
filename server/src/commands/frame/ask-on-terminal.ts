import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { CommandError } from './command-error.ts'

/** Where the question is asked and the answer is read. */
type Terminal = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream }

/**
 * Asks before something is carried out that cannot simply be undone, if the command runs on a terminal. A script, which
 * has no terminal, is not asked. The question goes to stderr, so that stdout holds only the result.
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
    // A closed terminal answers nothing.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed])
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.')
  } finally {
    lines.close()
  }
}
