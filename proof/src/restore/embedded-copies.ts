import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Copies } from './copies.ts'

/** `makola backup`, and its restore in the place of the embedded server. */
export function keepEmbeddedCopies(): Copies {
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
