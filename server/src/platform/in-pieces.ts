import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

/** Bytes that a parser gets at once: it reads them within some milliseconds. */
const pieceBytes = 16_384

async function* cut(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield bytes.subarray(from, from + pieceBytes)
    await setImmediate()
  }
}

/** A file in memory as a stream of small pieces, with a turn of the event loop after each. Given whole, a parser would hold the loop. */
export const inPieces = (bytes: Buffer): Readable => Readable.from(cut(bytes), { highWaterMark: 1 })
