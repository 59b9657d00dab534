import type { Socket } from 'node:net'

/** Writes PDUs to a connection. */
export type PduOutput = {
  write(bytes: Buffer): void
  /** Writes everything gathered to the socket now. */
  flush(): void
}

/** Writes everything of one turn of the event loop at once, because a system call costs more than making a PDU. */
export function openPduOutput(socket: Socket): PduOutput {
  let waiting: Buffer[] = []
  function flush(): void {
    const bytes = waiting
    waiting = []
    const [first] = bytes
    if (first && socket.writable) socket.write(bytes.length === 1 ? first : Buffer.concat(bytes))
  }
  return {
    write(bytes) {
      waiting.push(bytes)
      if (waiting.length === 1) setImmediate(flush)
    },
    flush,
  }
}
