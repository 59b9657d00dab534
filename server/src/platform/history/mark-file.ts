import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mark } from './mark.ts'

/** Keeps the last mark of each database in a file, so that a process notices lost commits even after its own restart. */
export type MarkFile = {
  read(databaseId: string): Promise<Mark | undefined>
  write(mark: Mark): Promise<void>
  /** The databases that this folder has marks of. */
  listDatabases(): Promise<string[]>
  /** Removes half-written files of processes that were killed while they wrote. */
  removeRemains(): Promise<void>
}

/** We assume that a half-written file older than this belongs to a process that has ended. */
const remainsMilliseconds = 60_000

export function openMarkFile(dataDir: string): MarkFile {
  const folder = join(dataDir, 'history')
  // Several processes share the folder, so each writes to a file of its own and then renames it. A process that is killed before
  // the rename leaves its file behind; `removeRemains` deletes it.
  const half = join(folder, `${randomUUID()}.half`)
  const fileOf = (databaseId: string) => join(folder, `${databaseId}.json`)
  return {
    async read(databaseId) {
      const text = await readFile(fileOf(databaseId), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (text === undefined) return undefined
      const { position, line, at, gaps } = JSON.parse(text) as Omit<Mark, 'at'> & { at: string }
      return { databaseId, position, line, at: new Date(at), gaps }
    },
    /**
     * Processes that share the folder write one file, each about once a second, and the last one wins. So its mark is hardly
     * older than the newest.
     */
    async write({ databaseId, ...mark }) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(half, 'w', 0o600)
      try {
        await file.writeFile(JSON.stringify(mark))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(half, fileOf(databaseId))
      const directory = await open(folder)
      try {
        await directory.sync()
      } finally {
        await directory.close()
      }
    },
    async removeRemains() {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter((each) => each.endsWith('.half'))) {
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (mtimeMs < Date.now() - remainsMilliseconds) await rm(join(folder, name), { force: true })
      }
    },
    async listDatabases() {
      const names = await readdir(folder).catch(() => [])
      return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    },
  }
}
