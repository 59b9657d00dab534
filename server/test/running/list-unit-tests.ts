import { join, relative } from 'node:path'
import { readSources, root, type SourceFile } from '../reading/read-sources.ts'

/** What starts a database, a browser or one of our programs. */
const starters = [
  'server/test/test-database.ts',
  'server/test/run-command.ts',
  'server/test/open-browser.ts',
  'server/src/platform/database/embedded-postgres.ts',
]

const isTest = ({ path }: SourceFile) => path.endsWith('.test.ts')

/** Sources that can start a process do so only when a program asks for it; tests, what they share and `.ci` always do. */
function startsItself({ path, text }: SourceFile): boolean {
  const name = relative(root, path)
  return starters.includes(name) || (/\.test\.ts$|(^|\/)test\/|^\.ci\//.test(name) && text.includes("'node:child_process'"))
}

/**
 * Lists the tests that start nothing, because no chain of imports leads from them to what does. They need neither a
 * database nor built programs.
 *
 * @returns their paths from the top of the repository
 */
export function listUnitTests(): string[] {
  const sources = ['server', 'dashboard', 'simulator', 'release', 'sdk', 'conformance', '.ci'].flatMap((part) =>
    readSources(join(root, part)),
  )
  const starting = new Set(sources.filter(startsItself).map(({ path }) => path))
  for (let before = -1; before < starting.size; ) {
    before = starting.size
    for (const { path, imports } of sources) if (imports.some((target) => starting.has(target))) starting.add(path)
  }
  return sources.filter((file) => isTest(file) && !starting.has(file.path)).map(({ path }) => relative(root, path))
}
