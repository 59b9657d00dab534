import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFromFile, hashOfSources } from '../built-from.ts'

/** Where `npm ci` and `npm run build` put the pages. */
export const builtFolder = fileURLToPath(new URL('../dist/', import.meta.url))

/** @throws when the pages are not built, or from other sources than those that are here now */
export function mustBeBuilt(): void {
  const file = join(builtFolder, builtFromFile)
  const builtFrom = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (builtFrom === hashOfSources()) return
  const what = builtFrom === undefined ? 'are not built' : 'were built before the last change of dashboard/'
  throw new Error(`The pages ${what}: run \`npm run build\` first.`)
}
