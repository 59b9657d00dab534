import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { baselineRecord, noteBaseline } from './baseline.ts'
import { closeSection } from './changelog.ts'
import { makeFiles } from './make-files.ts'
import { isVersion, readVersion, setVersion } from './set-version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist', 'release')

const usage = `Usage: npm run release -- VERSION [--checked]

Makes the files of a release in dist/release. Where the last commit is not the release of VERSION yet, it first runs the
checks and the tests, sets the version, closes the changelog's section, commits that, and marks it with the tag vVERSION.
That commit has the time of the one before it, so everybody who releases the same commit gets the same files.

  --checked   the checks and the tests have passed for this commit elsewhere`

const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
const npm = (...words: readonly string[]) => execFileSync('npm', words, { cwd: root, stdio: 'inherit' })

/** Commits a new version with its changelog, and marks the commit with its tag. */
function commitVersion(version: string): void {
  const changelog = join(root, 'CHANGELOG.md')
  const [moment = '', day = ''] = git('log', '-1', '--format=%cI %cs').split(' ')
  writeFileSync(changelog, closeSection(readFileSync(changelog, 'utf8'), version, day))
  setVersion(root, version)
  noteBaseline(root)
  git('add', baselineRecord)
  const env = { ...process.env, GIT_COMMITTER_DATE: moment }
  execFileSync('git', ['commit', '--quiet', '--all', '--message', `Version ${version}`, '--date', moment], { cwd: root, env })
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
}

async function release(version: string, isChecked: boolean): Promise<void> {
  if (git('status', '--porcelain') !== '') throw new Error('there are changes that are not committed: `git status` lists them')
  const isTagged = git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)
  if (!isTagged) {
    if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} is another commit: \`git checkout v${version}\``)
    if (!isChecked) {
      npm('run', 'check')
      npm('test')
    }
    commitVersion(version)
  }
  if (readVersion(root) !== version) throw new Error(`the commit of v${version} has version ${readVersion(root)}`)
  await makeFiles(root, target)
  for (const name of await readdir(target)) {
    console.log(`dist/release/${name}  ${(statSync(join(target, name)).size / 1_000_000).toFixed(1)} MB`)
  }
  if (!isTagged) console.log(`\nWhat comes next: git push origin HEAD v${version}. The workflow of the tag publishes it.`)
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { checked: { type: 'boolean', default: false } } })
const [version = '', ...more] = positionals
if (!isVersion(version) || more.length > 0) {
  console.error(usage)
  process.exitCode = 2
} else {
  await release(version, values.checked).catch((error: unknown) => {
    console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
}
