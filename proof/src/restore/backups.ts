import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Installation, OtherDatabase } from '../installation.ts'

/** A way to back a database up, and to put an earlier minute of it into a new server. */
export type Backups = {
  /** The database that is backed up. Absent: the embedded one. */
  readonly database?: OtherDatabase
  /** Sets the state to which `restore` goes back. Orders that are sold after this call are missing in that state. */
  backUp(installation: Installation): Promise<void>
  /** Ends the server and starts another one with the earlier minute. No worker may run. */
  restore(installation: Installation): Promise<void>
  destroy(): Promise<void>
}

/** `makola backup`, and its restore in the place of the embedded server. */
export function createEmbeddedBackups(): Backups {
  let folder = ''
  return {
    async backUp(installation) {
      folder = (await installation.command<{ folder: string }>('backup', '--to', join(installation.dataDir, 'backups'))).folder
    },
    async restore(installation) {
      const { dataDir, database } = installation
      await database.destroy()
      await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.old'))
      await installation.command('backup', 'restore', folder)
    },
    destroy: () => Promise.resolve(),
  }
}
