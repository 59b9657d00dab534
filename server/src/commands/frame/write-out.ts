import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import process from 'node:process'
import type { Writable } from 'node:stream'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from './command-error.ts'

/** Prints pieces of text as they come, no faster than the reader takes them, until the reader stops reading. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (process.stdout.destroyed) return
    // A reader such as `head` goes away while we wait for it.
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain').catch(() => undefined)
  }
}

/**
 * Writes a file as a whole or not at all: it gets its name when it is finished.
 *
 * @throws CommandError when it cannot be written there
 */
export async function writeWholeFile(path: string, write: (out: Writable) => Promise<void>): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`
  // What is written here may name customers, so only the file's owner may read it.
  const out = createWriteStream(unfinished, { mode: 0o600 })
  try {
    await once(out, 'open')
    await write(out)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    const { code } = error as NodeJS.ErrnoException
    const isOfTheFile = code !== undefined && ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EROFS', 'EPERM'].includes(code)
    throw isOfTheFile ? new CommandError(`${path} cannot be written: ${(error as Error).message}`) : error
  }
}

/** Writes pieces of text to a file that takes them as they come. */
export function writePieces(pieces: AsyncIterable<string> | Iterable<string>): (out: Writable) => Promise<void> {
  return (out) => pipeline(Readable.from(pieces), out)
}
