import type { WriteStream } from 'node:tty'

/** How often a line appears where it cannot be written over itself. */
const everyMilliseconds = 5_000

export type ProgressLine = {
  show(count: number): void
  /** Leaves the terminal on a new line. */
  close(): void
}

/**
 * Shows how far a long command is: on a terminal one line that is written over itself, elsewhere a
 * line every few seconds. Meant for stderr, so that stdout holds the result alone.
 */
export function openProgressLine(
  stream: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean },
  describe: (count: number) => string,
): ProgressLine {
  let shownAt = performance.now()
  let isOpen = false
  return {
    show(count) {
      if (stream.isTTY === true) {
        stream.write(`\r${describe(count)}`)
        isOpen = true
      } else if (performance.now() - shownAt >= everyMilliseconds) {
        shownAt = performance.now()
        stream.write(`${describe(count)}\n`)
      }
    },
    close() {
      if (isOpen) stream.write('\n')
      isOpen = false
    },
  }
}
