import { sql } from 'kysely'
import type { Db } from '../../server/src/platform/database/database.ts'
import type { Processes } from './measure/processor-time.ts'
import type { ShopAccount } from './open-shop.ts'
import { type MeasuredServer, type Role, type ServerKind, startRole, startServer } from './start-servers.ts'

export type BenchOptions = {
  readonly seconds: number
  /** Rounds of each measurement; medians are reported. */
  readonly rounds: number
  /** Orders that are stored before purchases are measured with a full table. */
  readonly stored: number
  readonly isQuick: boolean
}

export type Bench = {
  readonly options: BenchOptions
  /** Connected as the tables' owner. */
  readonly db: Db
  readonly dataDir: string
  readonly ownerUrl: string
  /** Database address for the measured processes. */
  readonly databaseUrl: string
  /** Resellers that buy through our own intake. */
  readonly accounts: readonly ShopAccount[]
  /** Resellers of the baselines that write to the same tables, so that no wallet is changed by two servers. */
  readonly baselineAccounts: readonly ShopAccount[]
  /** Starts a server and the simulator, unless they run already. */
  server(way: ServerKind): Promise<MeasuredServer>
  /** Stops all servers, before a part that starts its own processes. */
  stopServers(): Promise<void>
  /** The processes that run beside the measured server. */
  processes(): Processes
  readonly say: (text: string) => void
}

type Servers = Pick<Bench, 'server' | 'stopServers' | 'processes'>

/** The servers of a run. Each starts when a part first needs it. */
export function createServers(place: { dataDir: string; databaseUrl: string; postgresPid: number }): Servers {
  const running = new Map<ServerKind, MeasuredServer>()
  let simulator: Role | undefined
  return {
    async server(way) {
      simulator ??= await startRole('simulator', place.dataDir)
      const server = running.get(way) ?? (await startServer(way, place.dataDir, place.databaseUrl))
      running.set(way, server)
      return server
    },
    async stopServers() {
      await Promise.all([...running.values()].map((server) => server.stop()))
      running.clear()
      await simulator?.stop()
      simulator = undefined
    },
    processes: () => ({ PostgreSQL: place.postgresPid, ...(simulator && { simulator: simulator.pid }) }),
  }
}

/** Hides every open order from workers, so that they find only later ones. */
export async function setOpenOrdersAside(db: Db): Promise<void> {
  await sql`update open_orders set next_step_at = 'infinity' where next_step_at < 'infinity'`.execute(db)
  await sql`vacuum analyze open_orders`.execute(db)
}
