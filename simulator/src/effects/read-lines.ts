import { open } from 'node:fs/promises'

const chunkBytes = 256 * 1024
const newline = 0x0a

export type StoredLine = { readonly text: string; readonly offset: number }
export type LineRange = { readonly from: number; readonly to: number }

/**
 * Reads the whole lines of a file between two byte offsets, a few at a time, so that a long file needs little memory. Skips
 * a last line without its line feed: its write has not ended, or its process was killed.
 */
export async function* readLines(file: string, { from, to }: LineRange): AsyncGenerator<readonly StoredLine[]> {
  const handle = await open(file, 'r')
  try {
    let position = from
    let rest: Buffer = Buffer.alloc(0)
    while (position < to) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, to - position))
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
      if (bytesRead === 0) return
      const restOffset = position - rest.length
      position += bytesRead
      const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
      const { lines, end } = splitLines(bytes, restOffset)
      rest = bytes.subarray(end)
      if (lines.length > 0) yield lines
    }
  } finally {
    await handle.close()
  }
}

function splitLines(bytes: Buffer, offset: number): { lines: StoredLine[]; end: number } {
  const lines: StoredLine[] = []
  let start = 0
  for (let end = bytes.indexOf(newline, start); end !== -1; end = bytes.indexOf(newline, start)) {
    lines.push({ text: bytes.toString('utf8', start, end), offset: offset + start })
    start = end + 1
  }
  return { lines, end: start }
}
