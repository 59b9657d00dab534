import { execFileSync } from 'node:child_process'
import { cp, readdir, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { hashBaseline } from '../../release/baseline.ts'
import { ownTree } from './run-command.ts'

/** Rehearsed where a version brings no migration: one for each way in which `makola migrate` works. */
const addedMigrations: Readonly<Record<string, string>> = {
  '9001_rehearsal_column': 'alter table orders add column rehearsal_note text;\n',
  '9002_rehearsal_rows':
    '-- long work: batches of 100 rows of orders by id\n' +
    'update orders set rehearsal_note = kind where id between :first and :last;\n',
  '9003_rehearsal_partitions':
    '-- long work: an index on each partition\ncreate index rehearsal_notes on orders (rehearsal_note);\n',
  '9004_rehearsal_index':
    '-- outside a transaction\ncreate index concurrently if not exists rehearsal_names on accounts (name);\n',
}

/** The folders of libraries, which a copy of a version shares with it. */
const libraryFolders = ['node_modules', 'server/node_modules', 'dashboard/node_modules']
/** Folders that are not copied, because a version runs without them. */
const leftOut = new Set([...libraryFolders, '.git', 'data', 'dist/release', 'proof', 'bench'])

const listMigrations = (tree: string) => readdir(join(tree, 'server', 'migrations'))

/** Installs the version of a commit from a clone of the repository. */
function installCommit(commit: string, folder: string): void {
  const run = (place: string, program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })
  run(ownTree, 'git', 'clone', '--quiet', '--no-checkout', ownTree, folder)
  run(folder, 'git', 'checkout', '--quiet', '--detach', commit)
  run(folder, 'npm', 'ci', '--no-audit', '--no-fund')
}

/** Copies this version, and adds the migrations of the rehearsal to the copy. */
async function copyWithMigrations(folder: string): Promise<void> {
  await cp(ownTree, folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => !leftOut.has(relative(ownTree, source)),
  })
  await Promise.all([
    ...libraryFolders.map((part) => symlink(join(ownTree, part), join(folder, part))),
    ...Object.entries(addedMigrations).map(([name, text]) =>
      writeFile(join(folder, 'server', 'migrations', `${name}.sql`), text),
    ),
  ])
}

/** The folders of two versions, and whether the migrations of the new one were made for the rehearsal. */
export type UpgradeTrees = { readonly before: string; readonly after: string; readonly areMigrationsAdded: boolean }

/**
 * Prepares the version before and the new one. Where this version has no migration that the one before lacks, the new one is a copy
 * of this version with some.
 *
 * @param root an empty folder for what is installed
 * @param commit of the version before. Undefined: this version, and then the new one is a copy of it
 * @throws when the first schemas differ, because nothing leads from one to the other
 */
export async function prepareTrees(root: string, commit: string | undefined): Promise<UpgradeTrees> {
  let before = ownTree
  if (commit !== undefined) {
    before = join(root, 'before')
    installCommit(commit, before)
    if (hashBaseline(before) !== hashBaseline(ownTree)) {
      throw new Error(`${commit} has another server/schema, and no migration leads from it to this version: take a later commit`)
    }
  }
  const [old, own] = await Promise.all([listMigrations(before), listMigrations(ownTree)])
  if (own.some((name) => !old.includes(name))) return { before, after: ownTree, areMigrationsAdded: false }
  const after = join(root, 'after')
  await copyWithMigrations(after)
  return { before, after, areMigrationsAdded: true }
}
