import process from 'node:process'

/** The message of `makola start` to its children once the database is ready. */
export type BeginMessage = { kind: 'begin' }

/** The option with which `makola start` makes its children wait for that message. Nobody else needs it. */
export const waitFlag = '--wait-for-begin'

/**
 * Resolves when `makola start`, the parent process, reports that the database is ready. Until then, the role (`api` or `worker`)
 * only loads its program. If the parent ends before that, the role ends too, because it has begun nothing.
 */
export function waitForBeginMessage(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => process.exit()
    if (!process.connected) end()
    process.once('disconnect', end)
    // Ctrl-C reaches every process of a terminal. The parent handles it.
    process.on('SIGINT', () => undefined)
    process.once('message', () => {
      process.off('disconnect', end)
      resolve()
    })
  })
}
