import type { Client } from 'pg'
import { connectClient } from '../database/database.ts'
import { hintChannel } from './send-hints.ts'

/** A worker's hints. They change only how soon it looks for work, never whether it looks. */
export type Hints = {
  /** False: no hints arrive, so a loop looks more often. */
  isListening(): boolean
  /**
   * Calls `listener` at each hint. `batchMilliseconds` is the mean duration of the latest batches of sales, if the hint holds
   * it.
   */
  onHint(listener: (batchMilliseconds?: number) => void): void
  stop(): Promise<void>
}

const retryMilliseconds = 1_000

/** Listens for hints on a connection of its own, and on a new one when that has ended. */
export function listenForHints(url: string): Hints {
  const listeners = new Set<(batchMilliseconds?: number) => void>()
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function tryLater(): void {
    client = undefined
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(connect, retryMilliseconds)
  }

  function connect(): void {
    connecting = listen().catch(tryLater)
  }

  async function listen(): Promise<void> {
    const connected = await connectClient(url, 'makola hints')
    connected.on('notification', ({ payload = '' }) => {
      for (const listener of listeners) listener(payload === '' ? undefined : Number(payload))
    })
    try {
      await connected.query(`listen ${hintChannel}`)
    } catch (error) {
      // A pooler may refuse LISTEN and keep the connection open.
      await connected.end().catch(() => undefined)
      throw error
    }
    connected.once('end', tryLater)
    client = connected
    // PostgreSQL keeps no notification for a connection that was away, so all listeners look once now.
    for (const listener of listeners) listener()
  }

  let connecting = listen().catch(tryLater)
  return {
    isListening: () => client !== undefined,
    onHint: (listener) => void listeners.add(listener),
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await connecting
      await client?.end().catch(() => undefined)
    },
  }
}
