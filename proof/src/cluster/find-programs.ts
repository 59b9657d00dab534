import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'

/** The programs of a cluster, and the user who runs them: PostgreSQL refuses to run as root. */
export type ClusterPrograms = {
  readonly etcd: string
  readonly patroni: string
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string
  readonly user: { readonly uid: number; readonly gid: number } | undefined
}

/** Installs the programs on Debian 12. */
export const installLine = 'apt-get install --no-install-recommends patroni python3-etcd etcd-server postgresql-15'

export async function findFile(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

async function findUser(): Promise<ClusterPrograms['user'] | 'missing'> {
  if (process.getuid?.() !== 0) return undefined
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const fields = lines.find(([name]) => name === 'postgres')
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : 'missing'
}

/** Finds the programs of PostgreSQL where Debian puts them. Undefined when they are missing. */
export async function findServerPrograms(): Promise<Pick<ClusterPrograms, 'postgres' | 'user'> | undefined> {
  const versions = (await readdir('/usr/lib/postgresql').catch(() => [])).toSorted((a, b) => Number(b) - Number(a))
  const [initdb, user] = await Promise.all([
    findFile(versions.map((version) => join('/usr/lib/postgresql', version, 'bin', 'initdb'))),
    findUser(),
  ])
  return initdb && user !== 'missing' ? { postgres: join(initdb, '..'), user } : undefined
}

/** Finds the programs of a cluster. Undefined when one is missing. */
export async function findClusterPrograms(): Promise<ClusterPrograms | undefined> {
  const [etcd, patroni, server] = await Promise.all([
    findFile(['/usr/bin/etcd', '/usr/local/bin/etcd']),
    findFile(['/usr/bin/patroni', '/usr/local/bin/patroni']),
    findServerPrograms(),
  ])
  return etcd && patroni && server ? { etcd, patroni, ...server } : undefined
}
