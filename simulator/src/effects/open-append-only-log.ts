import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readLines } from './read-lines.ts'

/** A file of lines that only grows. */
export type AppendOnlyLog = {
  readonly file: string
  /** Bytes that are surely in the file. */
  readonly size: () => number
  /**
   * Appends one line. Resolves with its byte offset when the operating system has the line: it then survives a killed
   * process, but perhaps not a power cut.
   */
  readonly append: (text: string) => Promise<number>
  /** Resolves when all earlier appends were written or have failed. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

type WaitingLine = {
  readonly line: string
  readonly resolve: (offset: number) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Opens a log, passes its lines to `onLine` in order, and removes an incomplete last line. Lines that come during a write
 * share the next write.
 */
export async function openAppendOnlyLog(file: string, onLine: (text: string, offset: number) => void): Promise<AppendOnlyLog> {
  await mkdir(dirname(file), { recursive: true })
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  let size = await readStoredLines(file, (await handle.stat()).size, onLine)
  await handle.truncate(size)
  let waiting: WaitingLine[] = []
  let flushing: Promise<void> | undefined

  async function flush(): Promise<void> {
    // Requests that were read from their sockets in the same turn share one write.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await writeAll(handle, Buffer.from(batch.map(({ line }) => line).join('')), size)
      } catch (error) {
        // Part of the batch may have been written behind `size`. The next batch overwrites it.
        for (const { reject } of batch) reject(error)
        continue
      }
      for (const { line, resolve } of batch) {
        resolve(size)
        size += Buffer.byteLength(line)
      }
    }
    flushing = undefined
  }

  return {
    file,
    size: () => size,
    append: (text) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: `${text}\n`, resolve, reject })
        flushing ??= flush()
      }),
    settled: async () => flushing,
    close: async () => {
      await flushing
      await handle.close()
    },
  }
}

async function readStoredLines(file: string, bytes: number, onLine: (text: string, offset: number) => void): Promise<number> {
  let end = 0
  for await (const lines of readLines(file, { from: 0, to: bytes })) {
    for (const { text, offset } of lines) {
      onLine(text, offset)
      end = offset + Buffer.byteLength(text) + 1
    }
  }
  return end
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}
