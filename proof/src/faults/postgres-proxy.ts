import { openTcpProxy, type ProxiedConnection, type TcpProxy } from '../../../server/test/servers/tcp-proxy.ts'
import type { DatabaseServer } from '../database-server.ts'
import { openFrontendReader } from './read-frontend-messages.ts'

/**
 * The fate of a commit, which is COMMIT or a statement that commits when it ends:
 *
 * - `cut_before`: the connection breaks before the server gets it
 * - `cut_answer`: the server commits, and the connection breaks before the answer
 * - `silence`: the server commits, the answer is dropped, and the connection stays
 * - `hold`: the answer passes only on `release`
 */
export type CommitFate = 'cut_before' | 'cut_answer' | 'silence' | 'hold'

/** A proxy to the database that can pick out single commits. */
export type PostgresProxy = TcpProxy & {
  /** The address of the proxy, to be used as DATABASE_URL. */
  readonly url: string
  /**
   * Applies a fate to the next commit of a session with that application name: COMMIT, a call of `write_batch`, or the next
   * statement that matches `statement`, which must commit by itself. Resolves when it has happened.
   */
  interceptCommit(applicationName: RegExp, fate: CommitFate, statement?: RegExp): Promise<void>
  /** Lets the held answers pass. */
  release(): void
  /** Drops the fates that `interceptCommit` set and no commit has met yet, and lets the held answers pass. */
  forget(): void
}

type Trap = { applicationName: RegExp; statement: RegExp; fate: CommitFate; onMet: () => void }

type Held = { connection: ProxiedConnection; data: Buffer }

export async function openPostgresProxy(database: DatabaseServer): Promise<PostgresProxy> {
  const traps: Trap[] = []
  const held: Held[] = []

  function findTrap(applicationName: string, statement: string): Trap | undefined {
    const index = traps.findIndex((trap) => trap.applicationName.test(applicationName) && trap.statement.test(statement.trim()))
    return index === -1 ? undefined : traps.splice(index, 1)[0]
  }

  const proxy = await openTcpProxy({
    target: async () => (await database.socket()).path,
    inspect(connection) {
      const read = openFrontendReader()
      let applicationName = ''
      const prepared = new Map<string, string>()
      let trap: Trap | undefined

      function fromClient(data: Buffer): Buffer | undefined {
        for (const message of read(data)) {
          if (message.kind === 'startup') applicationName = message.applicationName
          if (message.kind === 'parse') prepared.set(message.statement, message.text)
          const statement = message.kind === 'bind' ? prepared.get(message.statement) : message.kind === 'query' && message.text
          if (typeof statement === 'string') trap ??= findTrap(applicationName, statement)
        }
        if (trap?.fate !== 'cut_before') return data
        connection.cut()
        trap.onMet()
        return undefined
      }

      /** Only one statement runs at a time, so the data after a commit is its answer. */
      function fromServer(data: Buffer): Buffer | undefined {
        if (!trap) return data
        const { fate, onMet } = trap
        if (fate === 'cut_answer') connection.cut()
        if (fate === 'hold') {
          held.push({ connection, data })
          trap = undefined
        }
        onMet()
        return undefined
      }

      return { fromClient, fromServer }
    },
  })

  function release(): void {
    for (const { connection, data } of held.splice(0)) connection.client.write(data)
  }

  return {
    ...proxy,
    url: `postgresql://makola_app@127.0.0.1:${proxy.port}/makola`,
    interceptCommit: (applicationName, fate, statement = /^commit$|write_batch\(/i) =>
      new Promise((resolve) => traps.push({ applicationName, statement, fate, onMet: resolve })),
    release,
    forget() {
      traps.length = 0
      release()
    },
  }
}
