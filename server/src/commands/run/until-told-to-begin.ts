import process from 'node:process'

/** What `makola start` tells its children once the database is ready. */
export type BeginMessage = { kind: 'begin' }

/** The option of the roles' commands with which `makola start` has them wait for its word. Nobody else needs it. */
export const whenToldFlag = '--when-told'

/**
 * Resolves when the parent process says that the database is ready. Until then, a role loads its program. Nothing has
 * begun yet, so that the role just ends when its parent does.
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
