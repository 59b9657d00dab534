import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from '../../../server/src/platform/find-free-port.ts'
import type { ClusterPrograms } from '../cluster/find-programs.ts'
import { describeMember, listServerProcesses, type Member, withServer } from '../cluster/member.ts'
import { waitUntil } from '../wait-until.ts'
import type { Backups } from './backups.ts'

/** The settings that operators copy. */
const shipped = (name: string) => readFile(fileURLToPath(new URL(`../../../operations/backup/${name}`, import.meta.url)), 'utf8')
const host = '127.0.0.1'

type BackupServer = {
  readonly root: string
  readonly port: number
  readonly programs: Pick<ClusterPrograms, 'postgres' | 'user'>
}

/** Runs a program as the user of the servers. */
async function run({ root, programs }: BackupServer, file: string, ...words: string[]): Promise<void> {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: root }
  await promisify(execFile)(file, words, { cwd: root, env, ...programs.user })
}

async function query<Row extends pg.QueryResultRow>({ port }: BackupServer, text: string, database = 'postgres'): Promise<Row[]> {
  const connection = new pg.Client({ host, port, user: 'postgres', database, connectionTimeoutMillis: 10_000 })
  connection.on('error', () => undefined)
  await connection.connect()
  try {
    return (await connection.query<Row>(text)).rows
  } finally {
    await connection.end()
  }
}

/** The shipped pgbackrest.conf and postgresql.conf, with the folders of this rehearsal. */
async function writeSettings({ root, port }: BackupServer, data: string): Promise<string> {
  const file = join(root, 'pgbackrest.conf')
  const folders = Object.entries({ 'repo1-path': 'repository', 'log-path': 'log', 'lock-path': 'lock', 'spool-path': 'spool' })
  const ours = folders.map(([name, folder]) => `${name}=${join(root, folder)}`)
  const settings = (await shipped('pgbackrest.conf'))
    .replace(/^repo1-path=.*$/m, ours.join('\n'))
    .replace('CHANGE-ME', randomBytes(24).toString('hex'))
    .replace(/^pg1-path=.*$/m, `pg1-path=${data}\npg1-port=${port}\npg1-socket-path=${root}`)
  await writeFile(file, settings)
  const server = (await shipped('postgresql.conf')).replace('pgbackrest --stanza', `pgbackrest --config=${file} --stanza`)
  const place = { port, listen_addresses: host, unix_socket_directories: root }
  const lines = Object.entries(place).map(([name, value]) => `${name} = '${value}'`)
  await appendFile(join(data, 'postgresql.conf'), `\n${[...lines, server].join('\n')}`)
  return file
}

/** A server with the settings of `operations/backup/`, whose log is archived, and its restore to a moment in another folder. */
export async function createPgBackRestBackups(root: string, programs: BackupServer['programs']): Promise<Backups> {
  if (programs.user) await chown(root, programs.user.uid, programs.user.gid)
  const place: BackupServer = { root, port: await findFreePort(host), programs }
  const before = join(root, 'before')
  const serve = (data: string): Member => {
    const file = join(programs.postgres, 'postgres')
    const member = describeMember({ name: 'postgres', file, words: ['-D', data], folder: root, user: programs.user })
    return withServer(member, () => listServerProcesses(data))
  }
  const untilServed = () =>
    waitUntil('the server takes writes', async () => {
      const [row] = await query<{ standby: boolean }>(place, 'select pg_is_in_recovery() as standby')
      return row?.standby === false
    })
  await run(place, join(programs.postgres, 'initdb'), '-D', before, '-U', 'postgres', '--auth=trust', '--encoding=UTF8')
  const config = await writeSettings(place, before)
  const pgbackrest = (...words: string[]) => run(place, '/usr/bin/pgbackrest', `--config=${config}`, '--stanza=makola', ...words)
  let server = serve(before)
  server.start()
  await untilServed()
  for (const role of ['makola_owner', 'makola_app']) await query(place, `create role ${role} login`)
  await query(place, 'grant makola_app to makola_owner')
  await query(place, 'create database makola owner makola_owner')
  await pgbackrest('stanza-create')
  await pgbackrest('--type=full', 'backup')

  const urlOf = (user: string) => `postgresql://${user}@${host}:${place.port}/makola`
  let moment = ''
  return {
    database: {
      environment: { DATABASE_URL: urlOf('makola_app'), SECRETS_KEY: randomBytes(32).toString('base64') },
      ownerUrl: urlOf('makola_owner'),
      async connectAsOwner() {
        const connection = new pg.Client({ connectionString: urlOf('makola_owner') })
        connection.on('error', () => undefined)
        await connection.connect()
        return connection
      },
    },
    async backUp() {
      const [row] = await query<{ now: string }>(place, 'select clock_timestamp()::text as now')
      moment = row?.now ?? ''
    },
    async restore() {
      await query(place, 'select pg_switch_wal()')
      await pgbackrest('check')
      await server.kill()
      const after = join(root, 'after')
      await mkdir(after, { mode: 0o700 })
      if (programs.user) await chown(after, programs.user.uid, programs.user.gid)
      await pgbackrest(`--pg1-path=${after}`, '--type=time', `--target=${moment}`, '--target-action=promote', 'restore')
      server = serve(after)
      server.start()
      await untilServed()
    },
    destroy: () => server.kill(),
  }
}
