import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The file beside the built pages that has the hash of the sources from which they were built. */
export const builtFromFile = 'built-from'

/**
 * A hash of the sources in `src`, of the icons and of the files that are named here. `.d.ts` files are left out, because they leave
 * nothing in the built files.
 */
export function hashOfSources(): string {
  const names = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const icons = readdirSync(join(folder, 'icons')).map((name) => join(folder, 'icons', name))
  const hash = createHash('sha256')
  const others = [
    'page.html',
    'service-worker.js',
    'built-from.ts',
    'compress-files.ts',
    'make-installable.ts',
    'part-files.ts',
    'split-sheet.ts',
    'vite.config.ts',
    'write-pages.ts',
  ]
  for (const name of [...names, ...others.map((other) => join(folder, other)), ...icons].toSorted()) {
    hash.update(name.slice(folder.length)).update('\0').update(readFileSync(name)).update('\0')
  }
  return hash.digest('hex')
}
