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

/** Prints pieces of text no faster than their reader takes them, until the reader stops reading. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (process.stdout.destroyed) return
    // The reader, such as `head`, may end while we wait for it.
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain').catch(() => undefined)
  }
}

/** Removes a file when the process exits or a signal ends the process. @returns a function that cancels this */
function removeOnStop(path: string): () => void {
  const remove = () => rmSync(path, { force: true })
  const stop = (signal: NodeJS.Signals) => {
    stopListening()
    remove()
    process.kill(process.pid, signal)
  }
  const stopListening = () => {
    for (const signal of stopSignals) process.off(signal, stop)
    process.off('exit', remove)
  }
  for (const signal of stopSignals) process.on(signal, stop)
  process.on('exit', remove)
  return stopListening
}

/** Gives a finished file its name, but never replaces another file. */
async function nameNewFile(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
    await rm(unfinished)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw existsError(path)
    // USB sticks and some network folders have no hard links. There, an empty file reserves the name.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    await (await open(path, 'wx')).close()
    await rename(unfinished, path)
  }
}

/**
 * Writes a file as a whole or not at all: writes it under another name and renames it when it is finished. An error or a stop
 * signal removes the unfinished file. A pipe with the file's name is written to directly.
 *
 * @throws CommandError when it cannot be written there, or another file has the name and may not be replaced
 */
export async function writeWholeFile(file: OutputFile, write: (out: Writable) => Promise<void>): Promise<void> {
  const there = await stat(file.path).catch(() => undefined)
  // With --force a link stays a link, and its target is replaced.
  const path = there ? await realpath(file.path).catch(() => file.path) : file.path
  const isPipe = there !== undefined && !there.isFile()
  const target = isPipe ? file.path : `${path}.${randomUUID().slice(0, 8)}.unfinished`
  const giveUp = isPipe ? () => undefined : removeOnStop(target)
  try {
    // Only the owner may read the file, because it may name customers.
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

/** Returns a function for `writeWholeFile` that writes these pieces one after another. */
export function writePieces(pieces: AsyncIterable<string> | Iterable<string | Uint8Array>): (out: Writable) => Promise<void> {
  return (out) => pipeline(Readable.from(pieces), out)
}

/** Writes a report to a file, and returns a line that says so; does nothing without a file. */
export async function writeReportFile(file: OutputFile | undefined, table: CsvTable): Promise<string> {
  if (file === undefined) return ''
  await writeWholeFile(file, writePieces([writeCsv(table)]))
  return `\n${table.rows.length} lines were written to ${file.path}.`
}
