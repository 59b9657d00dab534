import type { Client } from 'pg'
import { connectClient } from '../database/database.ts'
import { hintChannel } from './send-hints.ts'

/** What a worker hears of hints. Only how soon it looks depends on them, never whether it looks. */
export type Hints = {
  /** Whether hints arrive. Without them a loop looks more often. */
  isListening(): boolean
  /** Calls `listener` at each hint; with how long a batch of sales took just before, if the hint tells. */
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
    // What became due while nobody listened has sent its hint in vain.
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
