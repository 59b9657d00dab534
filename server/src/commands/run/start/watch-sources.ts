import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** An editor writes a file in several steps. Changes within this time cause one restart. */
const settleMilliseconds = 200

/** The folders of our programs' sources. */
export const watchedFolders = ['../../../', '../../../../../simulator/src/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/** Calls `onChange` after one of our source files has changed. @returns a function that stops watching */
export function watchSources(onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watchers = watchedFolders.map((folder) =>
    watch(folder, { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(onChange, settleMilliseconds)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
