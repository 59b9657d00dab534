import { randomBytes } from 'node:crypto'
import { chown, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findFreePort } from '../../../server/src/platform/find-free-port.ts'
import { openTcpProxy, type TcpProxy } from '../../../server/test/servers/tcp-proxy.ts'
import type { OtherDatabase } from '../installation.ts'
import { waitUntil } from '../wait-until.ts'
import type { ClusterPrograms } from './find-programs.ts'
import { describeMember, listServerProcesses, type Member, withServer } from './member.ts'

/** A machine with PostgreSQL under Patroni. */
export type Machine = {
  readonly name: string
  readonly port: number
  readonly restUrl: string
  /** Patroni alone; its server goes on. */
  readonly patroni: Member
  /** Patroni and its server: the whole machine, as far as the cluster sees it. */
  readonly whole: Member
  /**
   * The proxies before its server, and between its Patroni and each etcd. All traffic to other machines goes through them, so a
   * fault can cut it.
   */
  readonly cables: readonly TcpProxy[]
  /** The port that everybody else uses. */
  readonly address: number
}

export type Cluster = {
  readonly machines: readonly Machine[]
  readonly etcds: readonly Member[]
  readonly database: OtherDatabase
  /** The leader, by the answers of Patroni. Undefined while there is none. */
  findLeader(): Promise<Machine | undefined>
  /** The machine that each commit waits for. */
  findSynchronous(): Promise<Machine | undefined>
  /**
   * Connects to the server of a machine, whether it leads or not. Connecting and each query fail after a second without an
   * answer.
   */
  connectTo(machine: Machine): Promise<pg.Client>
  /** Hands the lead over in order. */
  switchOver(): Promise<void>
  /** Starts and thaws everything, and waits until one leads and another is synchronous. */
  heal(): Promise<void>
  destroy(): Promise<void>
}

/** The settings that operators copy. */
const shippedSettings = fileURLToPath(new URL('../../../operations/cluster/patroni.yml', import.meta.url))
const machineCount = 3
const host = '127.0.0.1'
const pollMilliseconds = 2_000

const numbers = Array.from({ length: machineCount }, (_, no) => no)
const newPassword = () => randomBytes(12).toString('hex')

type ClusterSetUp = { readonly root: string; readonly programs: ClusterPrograms }

async function describeEtcds({ root, programs }: ClusterSetUp): Promise<{ etcds: Member[]; ports: number[] }> {
  const places = await Promise.all(
    numbers.map(async (no) => ({ name: `etcd${no + 1}`, client: await findFreePort(host), peer: await findFreePort(host) })),
  )
  const all = places.map(({ name, peer }) => `${name}=http://${host}:${peer}`).join(',')
  const etcds = places.map(({ name, client, peer }) => {
    const words = Object.entries({
      name,
      'data-dir': join(root, name),
      'enable-v2': 'true',
      'listen-client-urls': `http://${host}:${client}`,
      'advertise-client-urls': `http://${host}:${client}`,
      'listen-peer-urls': `http://${host}:${peer}`,
      'initial-advertise-peer-urls': `http://${host}:${peer}`,
      'initial-cluster': all,
      'initial-cluster-state': 'new',
    }).map(([option, value]) => `--${option}=${value}`)
    return describeMember({ name, file: programs.etcd, words, folder: root, user: programs.user })
  })
  return { etcds, ports: places.map(({ client }) => client) }
}

/** Describes a machine with the shipped settings, and a machine.yml of its own beside them. */
async function describeMachine(
  { root, programs }: ClusterSetUp,
  name: string,
  etcds: readonly number[],
  password: string,
): Promise<Machine> {
  const [port, rest] = [await findFreePort(host), await findFreePort(host)]
  const [toServer, ...toEtcds] = await Promise.all(
    [port, ...etcds].map((target) => openTcpProxy({ target: () => Promise.resolve(target) })),
  )
  if (!toServer) throw new Error('there is no way to the server')
  const settings = join(root, `${name}.settings`)
  const data = join(root, name)
  await mkdir(settings)
  await copyFile(shippedSettings, join(settings, 'patroni.yml'))
  // JSON is YAML. The files are read in the order of their names.
  const own = {
    name,
    restapi: { listen: `${host}:${rest}`, connect_address: `${host}:${rest}` },
    // Without `use_proxies` Patroni would learn the real addresses from etcd, and its traffic would not go through the cables.
    etcd: { hosts: toEtcds.map((cable) => `${host}:${cable.port}`).join(','), use_proxies: true },
    watchdog: { mode: 'off' },
    postgresql: {
      listen: `${host}:${port}`,
      connect_address: `${host}:${toServer.port}`,
      data_dir: data,
      bin_dir: programs.postgres,
      pgpass: join(root, `${name}.pgpass`),
      parameters: { unix_socket_directories: root },
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
    },
  }
  await writeFile(join(settings, 'zz-machine.yml'), JSON.stringify(own))
  const patroni = describeMember({ name, file: programs.patroni, words: [settings], folder: root, user: programs.user })
  const whole = withServer(patroni, () => listServerProcesses(data))
  const cables = [toServer, ...toEtcds]
  return { name, port, address: toServer.port, restUrl: `http://${host}:${rest}`, patroni, whole, cables }
}

/** Returns whether Patroni answers that its server has this role now. */
const isIn = ({ restUrl }: Machine, role: 'primary' | 'synchronous') =>
  fetch(`${restUrl}/${role}`, { signal: AbortSignal.timeout(pollMilliseconds) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function findIn(machines: readonly Machine[], role: 'primary' | 'synchronous'): Promise<Machine | undefined> {
  const looks = await Promise.all(machines.map((machine) => isIn(machine, role)))
  return machines[looks.indexOf(true)]
}

type Login = { readonly user: string; readonly password: string; readonly database: string }

async function connect(port: number, login: Login & pg.ClientConfig): Promise<pg.Client> {
  const connection = new pg.Client({ host, port, connectionTimeoutMillis: 10_000, ...login })
  connection.on('error', () => undefined)
  await connection.connect()
  return connection
}

/** Makes the logins and the database, as the guide says. */
async function makeDatabase(leader: Machine, password: string): Promise<void> {
  const administrator = await connect(leader.port, { user: 'postgres', password, database: 'postgres' })
  try {
    for (const role of ['makola_owner', 'makola_app'])
      await administrator.query(`create role ${role} login password '${password}'`)
    await administrator.query('grant makola_app to makola_owner')
    await administrator.query('create database makola owner makola_owner')
  } finally {
    await administrator.end()
  }
}

/** Three etcds and three machines with PostgreSQL under Patroni, with the settings of `operations/cluster/`, in one folder. */
export async function startCluster(root: string, programs: ClusterPrograms): Promise<Cluster> {
  if (programs.user) await chown(root, programs.user.uid, programs.user.gid)
  const password = newPassword()
  const place = { root, programs }
  const { etcds, ports } = await describeEtcds(place)
  const machines = await Promise.all(numbers.map((no) => describeMachine(place, `db${no + 1}`, ports, password)))
  const findLeader = () => findIn(machines, 'primary')
  const findSynchronous = () => findIn(machines, 'synchronous')
  const owner: Login = { user: 'makola_owner', password, database: 'makola' }
  const urlOf = (user: string) =>
    `postgresql://${user}:${password}@${machines.map(({ address }) => `${host}:${address}`).join(',')}/makola?target_session_attrs=read-write`

  async function mustFindLeader(): Promise<Machine> {
    let leader: Machine | undefined
    await waitUntil('a machine leads', async () => {
      leader = await findLeader()
      return leader !== undefined
    })
    return leader as Machine
  }
  async function heal(): Promise<void> {
    for (const etcd of etcds) etcd.start()
    for (const { patroni, whole, cables } of machines) {
      for (const cable of cables) cable.heal()
      await whole.thaw()
      patroni.start()
    }
    await waitUntil('one machine leads, and another is synchronous', async () => {
      const [leader, synchronous] = await Promise.all([findLeader(), findSynchronous()])
      return leader !== undefined && synchronous !== undefined
    })
  }

  await heal()
  await makeDatabase(await mustFindLeader(), password)
  return {
    machines,
    etcds,
    database: {
      environment: { DATABASE_URL: urlOf('makola_app'), SECRETS_KEY: randomBytes(32).toString('base64') },
      ownerUrl: urlOf('makola_owner'),
      connectAsOwner: async () => connect((await mustFindLeader()).port, owner),
    },
    findLeader,
    findSynchronous,
    connectTo: ({ address }) => connect(address, { ...owner, connectionTimeoutMillis: 1_000, query_timeout: 1_000 }),
    async switchOver() {
      const leader = await mustFindLeader()
      await fetch(`${leader.restUrl}/switchover`, { method: 'POST', body: JSON.stringify({ leader: leader.name }) })
    },
    heal,
    async destroy() {
      for (const { whole } of machines) await whole.thaw()
      await Promise.all([...machines.map(({ whole }) => whole.kill()), ...etcds.map((etcd) => etcd.kill())])
      await Promise.all(machines.flatMap(({ cables }) => cables.map((cable) => cable.close())))
    },
  }
}
