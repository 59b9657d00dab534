import type { WriteStream } from 'node:tty'

/** The time between two lines where a line cannot be replaced. */
const everyMilliseconds = 5_000

export type ProgressLine = {
  show(count: number): void
  /** Moves the terminal to a new line. */
  close(): void
}

/**
 * Shows the progress of a long command: on a terminal in one line that is replaced, elsewhere in a new line every few seconds.
 * Meant for stderr, because stdout holds only the result.
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
