import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseServer } from '../database-server.ts'
import { waitUntil } from '../wait-until.ts'

/** A streaming standby of an installation's database. It gets every commit before the commit is answered. */
export type Standby = {
  /** The path of its socket. */
  readonly path: string
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Makes the standby accept writes. */
  promote(): Promise<void>
  /** Ends the standby and removes its folder. */
  destroy(): Promise<void>
}

/** Runs a statement as the server's administrator, who may write even where sessions are read-only by default. */
export async function administrate<Row extends object>(
  { folder: host, port }: { folder: string; port: number },
  work: (run: (text: string) => Promise<Row[]>) => Promise<void>,
): Promise<void> {
  const options = '-c default_transaction_read_only=off'
  const connection = new pg.Client({ host, port, user: 'postgres', database: 'makola', options, connectionTimeoutMillis: 60_000 })
  connection.on('error', () => undefined)
  await connection.connect()
  try {
    await work(async (text) => (await connection.query<Row>(text)).rows)
  } finally {
    await connection.end().catch(() => undefined)
  }
}

async function run(file: string, words: readonly string[]): Promise<void> {
  const [exitCode] = (await once(spawn(file, words, { stdio: 'ignore' }), 'close')) as [number | null]
  if (exitCode !== 0) throw new Error(`${file} ended with ${exitCode}`)
}

/** Lets the servers' user copy the stream of changes, which the product itself never needs. */
async function permitReplication(folder: string, uid: number): Promise<void> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const name = users.find((fields) => fields[2] === String(uid))?.[0] ?? ''
  await appendFile(join(folder, 'pg_hba.conf'), 'local replication all peer map=makola\n')
  await appendFile(join(folder, 'pg_ident.conf'), `makola "${name}" postgres\n`)
}

/** Copies the running server's folder (PostgreSQL manual, "Making a Base Backup Using the Low Level API"). */
async function copyFolder(database: DatabaseServer, from: string, to: string): Promise<void> {
  await administrate<{ labelfile: string }>(await database.socket(), async (ask) => {
    await ask('select pg_reload_conf()')
    await ask("select pg_backup_start('standby', true)")
    await run('cp', ['--archive', from, to])
    const [stopped] = await ask('select labelfile from pg_backup_stop(false)')
    await rm(join(to, 'postmaster.pid'), { force: true })
    await writeFile(join(to, 'backup_label'), stopped?.labelfile ?? '')
    await writeFile(join(to, 'standby.signal'), '')
  })
}

/** Makes a standby of an installation's database. From then on, every commit waits until the standby has it. */
export async function startStandby(dataDir: string, database: DatabaseServer): Promise<Standby> {
  const from = join(dataDir, 'postgres')
  const { uid, gid } = await stat(from)
  const primary = await database.socket()
  const root = await mkdtemp(join(tmpdir(), 'makola-standby-'))
  const folder = join(root, 'postgres')
  const sockets = join(root, 'sockets')
  await mkdir(sockets)
  await permitReplication(from, uid)
  await copyFolder(database, from, folder)
  for (const path of [root, sockets, join(folder, 'backup_label'), join(folder, 'standby.signal')]) await chown(path, uid, gid)

  const [pid = ''] = (await readFile(join(from, 'postmaster.pid'), 'utf8')).split('\n')
  const settings = {
    unix_socket_directories: sockets,
    cluster_name: 'standby',
    primary_conninfo: `host=${primary.folder} port=${primary.port} user=postgres`,
  }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(await readlink(`/proc/${pid}/exe`), ['-D', folder, ...words], { uid, gid, stdio: 'ignore', cwd: root })
  const ended = once(server, 'exit')
  const place = { folder: sockets, port: primary.port }

  async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const connection = new pg.Client({ host: sockets, port: primary.port, user: 'makola_owner', database: 'makola' })
    connection.on('error', () => undefined)
    await connection.connect()
    try {
      return (await connection.query<Row>(text, [...values])).rows
    } finally {
      await connection.end().catch(() => undefined)
    }
  }

  await waitUntil('the standby answers', async () => (await query('select 1')).length === 1)
  await administrate(primary, async (ask) => {
    await ask("alter system set synchronous_standby_names = 'standby'")
    await ask('select pg_reload_conf()')
    await waitUntil('commits wait for the standby', async () => {
      const synchronous = await ask("select from pg_stat_replication where sync_state = 'sync'")
      return synchronous.length === 1
    })
  })
  return {
    path: join(sockets, `.s.PGSQL.${primary.port}`),
    query,
    promote: () => administrate(place, async (ask) => void (await ask('select pg_promote()'))),
    async destroy() {
      server.kill('SIGQUIT')
      await ended
      await rm(root, { recursive: true, force: true })
    },
  }
}
