import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { link, open, realpath, rename, rm, stat } from 'node:fs/promises'
import process from 'node:process'
import type { Writable } from 'node:stream'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CsvTable, writeCsv } from '../../platform/write-csv.ts'
import { CommandError } from './command-error.ts'
import { existsError, type OutputFile } from './output-file.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Prints pieces of text as they come, no faster than the reader takes them, until the reader stops reading. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (process.stdout.destroyed) return
    // A reader such as `head` goes away while we wait for it.
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain').catch(() => undefined)
  }
}

/** Removes a file when the process is stopped, and then lets the signal end it. Returns how to give that up. */
function removeOnStop(path: string): () => void {
  const remove = () => rmSync(path, { force: true })
  const stop = (signal: NodeJS.Signals) => {
    giveUp()
    remove()
    process.kill(process.pid, signal)
  }
  const giveUp = () => {
    for (const signal of stopSignals) process.off(signal, stop)
    process.off('exit', remove)
  }
  for (const signal of stopSignals) process.on(signal, stop)
  process.on('exit', remove)
  return giveUp
}

/** Gives a finished file its name, in one step and never over another file. */
async function nameNewFile(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
    await rm(unfinished)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw existsError(path)
    // Sticks and some network folders have no hard links. An empty file reserves the name there.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    await (await open(path, 'wx')).close()
    await rename(unfinished, path)
  }
}

/**
 * Writes a file as a whole or not at all: it is written beside under another name and gets its own when it is finished;
 * whatever stops the command removes it. What is there under that name and no file, such as a pipe, is written to.
 *
 * @throws CommandError when it cannot be written there, or another file has the name and may not be replaced
 */
export async function writeWholeFile(file: OutputFile, write: (out: Writable) => Promise<void>): Promise<void> {
  const there = await stat(file.path).catch(() => undefined)
  // With --force a link stays a link, and the file that it names is replaced.
  const path = there ? await realpath(file.path).catch(() => file.path) : file.path
  const isPipe = there !== undefined && !there.isFile()
  const target = isPipe ? file.path : `${path}.${randomUUID().slice(0, 8)}.unfinished`
  const giveUp = isPipe ? () => undefined : removeOnStop(target)
  try {
    // What is written here may name customers, so only the file's owner may read it.
    const out = createWriteStream(target, isPipe ? {} : { mode: 0o600, flags: 'wx', flush: true })
    await once(out, 'open')
    await write(out)
    if (isPipe) return
    await (file.mayReplace ? rename(target, path) : nameNewFile(target, path))
  } catch (error) {
    if (!isPipe) await rm(target, { force: true })
    const { code, path: of } = error as NodeJS.ErrnoException
    const isOfTheFile = of?.startsWith(path) === true || code === 'EPIPE'
    throw isOfTheFile ? new CommandError(`${file.path} cannot be written: ${(error as Error).message}`, { cause: error }) : error
  } finally {
    giveUp()
  }
}

/** Writes pieces to a file that takes them as they come. */
export function writePieces(pieces: AsyncIterable<string> | Iterable<string | Uint8Array>): (out: Writable) => Promise<void> {
  return (out) => pipeline(Readable.from(pieces), out)
}

/** Writes the lines of a report to a file, and returns a line that says so. Without a file it does nothing. */
export async function writeReportFile(file: OutputFile | undefined, table: CsvTable): Promise<string> {
  if (file === undefined) return ''
  await writeWholeFile(file, writePieces([writeCsv(table)]))
  return `\n${table.rows.length} lines were written to ${file.path}.`
}
