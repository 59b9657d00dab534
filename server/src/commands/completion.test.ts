import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../test/run-command.ts'
import { allCommands } from '../all-commands.ts'
import { shells } from './completion.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-completion-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function writeScript(shell: string): Promise<string> {
  const { exitCode, stdout } = await runCommand(allCommands, ['completion', shell])
  expect(exitCode).toBe(0)
  const file = join(folder, shell)
  await writeFile(file, stdout)
  return file
}

/** The words that bash offers while the last of these words is being typed. */
async function complete(...words: string[]): Promise<string[]> {
  const file = await writeScript('bash')
  const script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _makola; printf "%s\\n" "${COMPREPLY[@]}"'
  const output = execFileSync('bash', ['-c', script, 'bash', file, 'makola', ...words], { encoding: 'utf8', cwd: folder })
  return output.split('\n').filter((line) => line !== '')
}

describe('bash completes', () => {
  test('commands', async () => {
    expect(await complete('comp')).toEqual(['completion'])
    expect(await complete('')).toEqual(expect.arrayContaining(['start', 'order', 'doctor', '--json']))
  })

  test('the commands of a group, also after an option', async () => {
    expect(await complete('order', 's')).toEqual(['show', 'settle'])
    expect(await complete('--json', 'order', 's')).toEqual(['show', 'settle'])
  })

  test('options of the very command, and their values', async () => {
    expect(await complete('order', 'settle', '--ev')).toEqual(['--evidence'])
    expect(await complete('order', 'settle', '--as', '')).toEqual(['completed', 'failed'])
    expect(await complete('completion', 'f')).toEqual(['fish'])
  })

  test('files where a command takes any text', async () => {
    await writeFile(join(folder, 'prices.csv'), '')
    expect(await complete('packages', 'import', 'pri')).toEqual(['prices.csv'])
  })
})

const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0

test.each(shells)('%s gets every command and option, in a script that it can read', async (shell) => {
  const file = await writeScript(shell)
  const { stdout } = await runCommand(allCommands, ['completion', shell])
  for (const word of ['voucher-type', 'take-back', 'evidence', 'price-customer']) expect(stdout).toContain(word)
  // If the machine has the shell, let it check the script.
  if (hasShell(shell)) execFileSync(shell, ['-n', file])
})

test('another shell is wrong usage', async () => {
  expect((await runCommand(allCommands, ['completion', 'cmd'])).exitCode).toBe(2)
})
