import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mark } from './mark.ts'

/** Keeps the last mark of each database outside of it, so that a restart or a restored backup is noticed too. */
export type MarkFile = {
  read(databaseId: string): Promise<Mark | undefined>
  write(mark: Mark): Promise<void>
  /** The databases that this folder has marks of. */
  listDatabases(): Promise<string[]>
}

export function openMarkFile(dataDir: string): MarkFile {
  const folder = join(dataDir, 'history')
  const fileOf = (databaseId: string) => join(folder, `${databaseId}.json`)
  return {
    async read(databaseId) {
      const text = await readFile(fileOf(databaseId), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (text === undefined) return undefined
      const { position, line, at } = JSON.parse(text) as { position: number; line: string; at: string }
      return { databaseId, position, line, at: new Date(at) }
    },
    /** Processes that share the folder write one file; the last one wins, and its mark is at most a second older. */
    async write({ databaseId, position, line, at }) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const half = join(folder, `${databaseId}.${randomUUID()}.half`)
      const file = await open(half, 'w', 0o600)
      try {
        await file.writeFile(JSON.stringify({ position, line, at }))
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
    async listDatabases() {
      const names = await readdir(folder).catch(() => [])
      return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    },
  }
}
