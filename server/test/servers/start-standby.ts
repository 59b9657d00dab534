import { appendFile, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { backUpEmbedded } from '../../src/platform/database/embedded/back-up-cluster.ts'
import { restoreEmbedded } from '../../src/platform/database/embedded/restore-cluster.ts'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts'
import { patienceSeconds } from '../patience.ts'

/** A streaming standby of an embedded database. */
export type Standby = {
  /** Its address for the application's role. */
  readonly url: string
  /** The path of its socket. */
  readonly path: string
  /** As the tables' owner. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** As the server's administrator. */
  administrate<Row extends object>(text: string): Promise<Row[]>
  /** Makes the standby accept writes. */
  promote(): Promise<void>
  /** Ends the standby and removes its folder. */
  destroy(): Promise<void>
}

type Socket = { readonly folder: string; readonly port: number }

/** The server of a DATA_DIR, from its lock file. */
async function socketOf(dataDir: string): Promise<Socket> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return { folder: lines[4] ?? '', port: Number(lines[3]) }
}

/** Runs a statement as the administrator, who may write even where sessions are read-only by default. */
export async function administrate<Row extends object>({ folder: host, port }: Socket, text: string): Promise<Row[]> {
  return query({ host, port, user: 'postgres', options: '-c default_transaction_read_only=off' }, text)
}

async function query<Row extends object>(config: pg.ClientConfig, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const connection = new pg.Client({ database: 'makola', connectionTimeoutMillis: patienceSeconds * 1_000, ...config })
  connection.on('error', () => undefined)
  await connection.connect()
  try {
    return (await connection.query<Row>(text, [...values])).rows
  } finally {
    await connection.end().catch(() => undefined)
  }
}

/** Lets the servers' user copy the stream of changes, which the product itself never needs. */
async function permitReplication(folder: string): Promise<void> {
  const { uid } = await stat(folder)
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const name = users.find((fields) => fields[2] === String(uid))?.[0] ?? ''
  await appendFile(join(folder, 'pg_hba.conf'), 'local replication all peer map=makola\n')
  await appendFile(join(folder, 'pg_ident.conf'), `makola "${name}" postgres\n`)
}

/** Makes a standby of the embedded database of a DATA_DIR, out of a backup. */
export async function startStandby(dataDir: string, settings: Record<string, string> = {}): Promise<Standby> {
  const primary = await socketOf(dataDir)
  const root = await mkdtemp(join(tmpdir(), 'makola-standby-'))
  await permitReplication(join(dataDir, 'postgres'))
  await administrate(primary, 'select pg_reload_conf()')
  const { folder: backup } = await backUpEmbedded(dataDir, join(root, 'backups'), () => undefined)
  const standbyDir = join(root, 'data')
  await restoreEmbedded(backup, standbyDir, () => undefined)
  const signal = join(standbyDir, 'postgres', 'standby.signal')
  await writeFile(signal, '')
  const { uid, gid } = await stat(join(standbyDir, 'postgres'))
  await chown(signal, uid, gid)
  const server = await startEmbeddedPostgres({
    dataDir: standbyDir,
    log: { info: () => undefined, warn: () => undefined },
    settings: {
      primary_conninfo: `host=${primary.folder} port=${primary.port} user=postgres application_name=standby`,
      ...settings,
    },
  })
  const socket = await socketOf(standbyDir)
  return {
    url: server.applicationUrl,
    path: join(socket.folder, `.s.PGSQL.${socket.port}`),
    query: (text, values) => query({ connectionString: server.ownerUrl }, text, values),
    administrate: (text) => administrate(socket, text),
    promote: async () => void (await administrate(socket, 'select pg_promote()')),
    async destroy() {
      await server.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** From now on every commit waits until the standby has it. */
export async function waitForStandby(dataDir: string): Promise<void> {
  const primary = await socketOf(dataDir)
  // The primary's own file of settings is written anew at its start.
  await administrate(primary, "alter system set synchronous_standby_names = 'standby'")
  await administrate(primary, 'select pg_reload_conf()')
  const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'"
  while ((await administrate(primary, isSynchronous)).length === 0) await sleep(50)
}
