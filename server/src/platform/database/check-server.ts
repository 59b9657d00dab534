import { connectClient } from './database.ts'

export const oldestServerVersion = 15

/** While one of these is off, a crash of the machine could lose an answered purchase. */
const durabilitySettings = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
const durableValues = new Set(['on', 'remote_apply'])

export type ServerFacts = {
  /** The version in the server's own form, such as `18.4`. */
  version: string
  majorVersion: number
  /** Durability settings that are not on, such as `fsync = off`. */
  notDurable: string[]
}

/** Reads the server's own defaults. The connection has none of our session settings, which would hide them. */
export async function readServerFacts(url: string): Promise<ServerFacts> {
  const client = await connectClient(url, 'makola check')
  try {
    // The statement has no parameters, so it works through any pooler. `checkSessions` later refuses a pooler that
    // shares sessions or drops settings, and names the reason.
    const names = [...durabilitySettings, 'server_version', 'server_version_num'].map((name) => `'${name}'`).join(', ')
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in (${names})`,
    )
    const settings = new Map(rows.map((row) => [row.name, row.setting]))
    return {
      version: settings.get('server_version') ?? '',
      majorVersion: Math.floor(Number(settings.get('server_version_num')) / 10_000),
      notDurable: durabilitySettings
        .filter((name) => !durableValues.has(settings.get(name) ?? ''))
        .map((name) => `${name} = ${settings.get(name)}`),
    }
  } finally {
    await client.end()
  }
}

/**
 * Refuses a server that is too old, or that could lose committed transactions.
 *
 * @throws Error that names the change to make
 */
export async function checkServer(url: string): Promise<void> {
  const { version, majorVersion, notDurable } = await readServerFacts(url)
  if (majorVersion < oldestServerVersion) {
    throw new Error(`The database is PostgreSQL ${version}; Makola needs version ${oldestServerVersion} or newer.`)
  }
  if (notDurable.length > 0) {
    throw new Error(
      `The database could lose acknowledged orders in a crash: ${notDurable.join(', ')}. ` +
        'Makola refuses to serve until fsync, full_page_writes and synchronous_commit are on.',
    )
  }
}
