import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../../config.ts'
import { CommitInDoubtError } from '../../platform/database/commit-in-doubt.ts'
import { classifyDatabaseError } from '../../platform/database/database-errors.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { SecretsKeyError } from '../../platform/secrets/secrets-keys.ts'
import { UsageError } from './command-error.ts'
import { prepareOutputs } from './output-file.ts'
import { printResult, setJsonOutput } from './print-result.ts'

/** Scripts rely on these numbers. */
const exitCodes = { failed: 1, wrongUsage: 2 }

/** Registers a command. The libraries that the command needs are loaded only when it runs. */
export type RegisterCommand = (program: Command) => void

function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return describeError(error.errors[0])
  if (error instanceof CommitInDoubtError) return `${error.message}\nLook whether it was done before you repeat it.`
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof OperatorRequestError && error.command !== undefined) return `${message} ${error.command}`
  if (/no space left on device/i.test(message)) return `The disk is full: ${message}`
  return classifyDatabaseError(error) === 'connection_lost' ? `The database cannot be reached: ${message}` : message
}

/** True when the person who typed the command or set its environment made a mistake. */
function isWrongUsage(error: unknown): boolean {
  if (error instanceof OperatorRequestError) return error.isWrongValue
  return [UsageError, ConfigError, SecretsKeyError].some((kind) => error instanceof kind)
}

/** Prints one line on stderr; with `--json` also a document on stdout, because scripts expect one. */
function reportFailure(message: string, isJson: boolean, isWrongUsage: boolean): void {
  const line = message.trim().replaceAll(/\s*\n\s*/g, ' ')
  process.stderr.write(`makola: ${line}\n`)
  if (isJson) printResult({ error: { code: isWrongUsage ? 'wrong_usage' : 'failed', message: line } }, '')
  process.exitCode = isWrongUsage ? exitCodes.wrongUsage : exitCodes.failed
}

export function buildProgram(
  version: string,
  commands: readonly RegisterCommand[],
  writeUsageError: (text: string) => void,
): Command {
  const program = new Command('makola')
    .description('An open, self-hosted digital-services reseller platform for Ghana.')
    .version(version, '--version')
    .option('--json', 'print one JSON document on stdout')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .addHelpText(
      'after',
      `
Examples:
  makola start                                   everything on this machine, with the demo shop
  makola account create --email ama@example.com --name Ama --role agent
  makola key create --account ama@example.com --type standard
  makola wallet credit --account ama@example.com --amount 100.00
  makola doctor                                  is this installation well?

Configuration comes from the environment (DATA_DIR, DATABASE_URL, PORT, SUPPLIERS, …).
Exit codes: 0 done, 1 failed, 2 wrong usage.`,
    )
    .exitOverride()
    .configureOutput({ writeErr: writeUsageError })
    .hook('preAction', (_, command) => prepareOutputs(command))
  for (const register of commands) register(program)
  inheritSettings(program)
  return program
}

/** commander passes these settings only to subcommands that are added after them; ours are added earlier, by many modules. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inheritSettings(command)
  }
}

/**
 * Runs one command. Sets the process' exit code (0 done, 1 failed, 2 wrong usage) and never throws.
 *
 * @param words the command line after `makola`
 */
export async function runCommandLine(
  words: readonly string[],
  version: string,
  commands: readonly RegisterCommand[],
): Promise<void> {
  const isJson = words.includes('--json')
  setJsonOutput(isJson)
  let usageText = ''
  const program = buildProgram(version, commands, (text) => (usageText += text))
  try {
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      reportFailure(describeError(error), isJson, isWrongUsage(error))
    } else if (error.exitCode !== 0) {
      reportWrongUsage(error, usageText, isJson)
    }
  }
}

function reportWrongUsage(error: CommanderError, usageText: string, isJson: boolean): void {
  if (error.code !== 'commander.help') {
    const line = usageText.trim().replace(/^error: /, '') || error.message
    return reportFailure(`${line.replace(/\.$/, '')}. Try \`makola --help\`.`, isJson, true)
  }
  // A group without a subcommand, such as `makola key`: its help lists the subcommands.
  if (isJson) return reportFailure('A command is missing. Try `makola --help`.', isJson, true)
  process.stderr.write(usageText)
  process.exitCode = exitCodes.wrongUsage
}
