import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** Owns the tables, migrates, and may make databases for tests. */
export const ownerRole = 'makola_owner'

/** The server's own administrator. It makes the other roles, keeps the server running and makes backups. */
export const administratorRole = 'postgres'

export const databaseName = 'makola'

/**
 * Settings for a small server. Those for durability (fsync, full_page_writes, synchronous_commit) are left on. There is no
 * network port. Errors are logged without their details and statements, which can hold secrets.
 */
function settingsText(socketFolder: string): string {
  return `# Written by Makola at every start of the database. Put your own settings into custom.conf.
listen_addresses = ''
unix_socket_directories = '${socketFolder}'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 256MB
effective_cache_size = 1GB
work_mem = 8MB
maintenance_work_mem = 128MB
max_wal_size = 2GB
min_wal_size = 128MB
checkpoint_timeout = 10min
jit = off
random_page_cost = 1.1
max_parallel_workers_per_gather = 0
timezone = 'UTC'
log_timezone = 'UTC'
logging_collector = on
log_directory = 'log'
log_filename = 'postgresql-%a.log'
log_rotation_age = 1d
log_rotation_size = 0
log_truncate_on_rotation = on
log_checkpoints = off
log_error_verbosity = terse
log_min_error_statement = panic
include_if_exists 'custom.conf'
`
}

const accessText = `# Written by Makola. Only over the private socket, only the operating system's users named in pg_ident.conf.
local all all peer map=makola
`

function usersText(): string {
  const names = new Set(['root', userInfo().username])
  const roles = [administratorRole, ownerRole, 'makola_app']
  const lines = [...names].flatMap((name) => roles.map((role) => `makola "${name.replaceAll('"', '')}" ${role}`))
  return `# Written by Makola: which user of the machine may work as which role.\n${lines.join('\n')}\n`
}

/** Replaces a file in one step. The new file first gets a random name, so that nobody can prepare a symbolic link under it. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, text, { flag: 'wx', mode: 0o644 })
  await rename(draft, path)
}

export async function writeClusterSettings(folder: string, socketFolder: string): Promise<void> {
  await replaceFile(join(folder, 'postgresql.conf'), settingsText(socketFolder))
  await replaceFile(join(folder, 'pg_hba.conf'), accessText)
  await replaceFile(join(folder, 'pg_ident.conf'), usersText())
}
