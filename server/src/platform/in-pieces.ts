import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

/** Bytes of a piece: a parser reads them within some milliseconds. */
const pieceBytes = 16_384

async function* cut(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const bytes of parts) {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      yield bytes.subarray(from, from + pieceBytes)
      await setImmediate()
    }
  }
}

/**
 * A file in memory, whole or in parts, as a stream of small pieces, with a turn of the event loop after each. A parser that got
 * the whole file at once would block everything else in the process.
 */
export const inPieces = (...parts: readonly Buffer[]): Readable => Readable.from(cut(parts), { highWaterMark: 1 })

/** Entries of a piece: at some 20 µs for each they take some 5 ms. */
const entriesAtOnce = 250

/** Cuts a list, with a turn of the event loop between its pieces. */
export async function* listInPieces<T>(list: readonly T[], atOnce = entriesAtOnce): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < list.length; from += atOnce) {
    if (from > 0) await setImmediate()
    yield list.slice(from, from + atOnce)
  }
}

/**
 * Does the same to each entry of a list, with turns of the event loop in between, so that a long list does not hold up
 * everything else in the process.
 */
export async function mapInPieces<T, R>(
  list: readonly T[],
  work: (entry: T, index: number) => R,
  atOnce = entriesAtOnce,
): Promise<R[]> {
  const done: R[] = []
  for await (const piece of listInPieces(list, atOnce)) for (const entry of piece) done.push(work(entry, done.length))
  return done
}
