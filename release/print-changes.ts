import { readFileSync } from 'node:fs'
import process from 'node:process'
import { readSection } from './changelog.ts'

/** Prints what CHANGELOG.md says of the version that is named on the command line: the text of its page on a forge. */
const version = process.argv[2] ?? ''
const changes = readSection(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), version)
if (changes === undefined) {
  console.error(`CHANGELOG.md has no section for "${version}".`)
  process.exitCode = 1
} else {
  console.log(changes)
}
