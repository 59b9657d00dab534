/** SQLite's word for "somebody else has it" (SQLITE_BUSY; SQLite, "Result and Error Codes"). */
const busy = 5

/**
 * Takes the lock of those who start a server, or returns undefined while another process has it. PostgreSQL alone does
 * not keep two starts apart: of two that find the lock file of a killed server, one may remove the other's new one.
 *
 * The lock is one of the kernel on a file that stays empty, taken by SQLite. It ends with its process, however that ends.
 */
export async function takeStartLock(file: string): Promise<Disposable | undefined> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file)
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === busy) return undefined
    throw error
  }
  return { [Symbol.dispose]: () => database.close() }
}
