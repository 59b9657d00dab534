import { readFileSync } from 'node:fs'
import process from 'node:process'
import { readSection } from './changelog.ts'

/** Prints the section of CHANGELOG.md about the version that is named on the command line, for the page of the release. */
const version = process.argv[2] ?? ''
const changes = readSection(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), version)
if (changes === undefined) {
  console.error(`CHANGELOG.md has no section for "${version}".`)
  process.exitCode = 1
} else {
  console.log(changes)
}
