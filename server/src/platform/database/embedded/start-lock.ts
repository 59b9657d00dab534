/** SQLite's code when another process holds the lock (SQLITE_BUSY; SQLite, "Result and Error Codes"). */
const busy = 5

/**
 * Takes the lock for starting a server, or returns undefined while another process has it. PostgreSQL alone does not keep
 * two starts apart: of two that find the lock file of a killed server, one may remove the other's new one.
 *
 * It is a kernel lock on a file that stays empty, taken by SQLite. It ends with its process, however that ends.
 * @throws Error when the file cannot be made or locked
 */
export async function takeStartLock(file: string): Promise<Disposable | undefined> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { open: false })
  try {
    database.open()
    database.exec('begin exclusive')
  } catch (error) {
    if (database.isOpen) database.close()
    if ((error as { errcode?: number }).errcode === busy) return undefined
    throw new Error(`The start of the database needs ${file}. Is its disk there, and may this user write to it?`, {
      cause: error,
    })
  }
  return { [Symbol.dispose]: () => database.close() }
}
