import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Argument, type Command, Option } from 'commander'
import { CommandError, UsageError } from './command-error.ts'

/**
 * A file that a command writes. Only `outputOption` and `outputArgument` make it, so that all exports follow the same rules.
 */
export class OutputFile {
  readonly path: string
  /** Set by `prepareOutputs`. */
  mayReplace = false

  constructor(path: string) {
    this.path = path
  }
}

/** An option that names a file to write, such as `--csv <file>`. Its command takes `forceOption` too. */
export function outputOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; it must not exist yet`).argParser((path) => new OutputFile(path))
}

/** An argument that names a file to write. Its command takes `forceOption` too. */
export function outputArgument(name: string, description: string): Argument {
  return new Argument(name, `${description}; it must not exist yet`).argParser((path) => new OutputFile(path))
}

export const forceOption = new Option('--force', 'replace the file if it is there')

async function checkTarget({ path, mayReplace }: OutputFile): Promise<void> {
  const there = await stat(path).catch(() => undefined)
  if (there?.isDirectory()) throw new CommandError(`${path} cannot be written: it is a folder.`)
  if (there?.isFile() && !mayReplace) throw existsError(path)
}

export function existsError(path: string): CommandError {
  return new CommandError(`${path} cannot be written: it is there already. Give another name, or --force to replace it.`)
}

/**
 * Checks the names of the files to write before the command does anything, so that a long or logged export does not fail at its
 * end.
 * @throws UsageError when two of them are the same
 * @throws CommandError when one is a folder, or exists already and may not be replaced
 */
export async function prepareOutputs(command: Command): Promise<void> {
  const options = command.opts<Record<string, unknown>>()
  const named = Object.entries(options).filter((entry): entry is [string, OutputFile] => entry[1] instanceof OutputFile)
  const files = [...command.processedArgs.filter((value) => value instanceof OutputFile), ...named.map(([, file]) => file)]
  if (new Set(files.map(({ path }) => resolve(path))).size < files.length) {
    throw new UsageError(`${named.map(([name]) => `--${name}`).join(' and ')} must name different files.`)
  }
  for (const file of files) {
    file.mayReplace = options['force'] === true
    await checkTarget(file)
  }
}
