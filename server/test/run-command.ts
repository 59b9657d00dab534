import process from 'node:process'
import { vi } from 'vitest'
import { type RegisterCommand, runCommandLine } from '../src/commands/frame/run-command-line.ts'

/** The result of a command line. */
export type CommandOutcome = { exitCode: number; stdout: string; stderr: string }

/** Runs a command line in this process and catches what it prints. */
export async function runCommand(commands: readonly RegisterCommand[], words: readonly string[]): Promise<CommandOutcome> {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    })
  }
  await runCommandLine(words, '0.0.0', commands)
  vi.restoreAllMocks()
  const exitCode = Number(process.exitCode ?? 0)
  process.exitCode = 0
  return { exitCode, ...written }
}

/** Runs a command that must succeed without a word on stderr, and answers the one JSON document it printed. */
export async function runCommandForJson(commands: readonly RegisterCommand[], words: readonly string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runCommand(commands, [...words, '--json'])
  if (exitCode !== 0 || stderr !== '') throw new Error(`makola ${words.join(' ')} ended with ${exitCode}: ${stderr}`)
  return JSON.parse(stdout)
}
