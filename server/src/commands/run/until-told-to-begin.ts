import process from 'node:process'

/** What `makola start` tells its children once the database is ready. */
export type BeginMessage = { kind: 'begin' }

/** The option of the roles' commands with which `makola start` has them wait for its word. Nobody else needs it. */
export const whenToldFlag = '--when-told'

/**
 * Resolves when `makola start`, the parent process, says that the database is ready. Until then, the role (`api` or
 * `worker`) only loads its program. If the parent ends before that, the role ends too, because it has begun nothing.
 */
export function untilToldToBegin(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => process.exit()
    if (!process.connected) end()
    process.once('disconnect', end)
    // Ctrl-C reaches every process of a terminal. The parent knows what to do about it.
    process.on('SIGINT', () => undefined)
    process.once('message', () => {
      process.off('disconnect', end)
      resolve()
    })
  })
}
