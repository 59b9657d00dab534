import { sql } from 'kysely'
import type { Db } from '../../server/src/platform/database/database.ts'
import type { Processes } from './measure/processor-time.ts'
import type { ShopAccount } from './open-shop.ts'
import { type MeasuredServer, type Role, startRole, startServer, type Way } from './start-servers.ts'

/** How long and how often is measured. */
export type BenchOptions = {
  /** Of each measurement. */
  readonly seconds: number
  /** Medians are reported. */
  readonly rounds: number
  /** Orders that are stored before the purchases with a full table. */
  readonly stored: number
  readonly isQuick: boolean
}

/** What every part of the bench stands on. */
export type Bench = {
  readonly options: BenchOptions
  /** As the tables' owner. */
  readonly db: Db
  readonly dataDir: string
  readonly ownerUrl: string
  /** How processes under measurement reach the database. */
  readonly databaseUrl: string
  /** Resellers of our own intake. */
  readonly accounts: readonly ShopAccount[]
  /** Resellers of the baselines that write to the same tables, so that nobody changes a wallet behind another's back. */
  readonly baselineAccounts: readonly ShopAccount[]
  /** Starts what is asked for, unless it runs already. The simulator runs beside it. */
  server(way: Way): Promise<MeasuredServer>
  /** Stops all servers, for parts that start processes of their own. */
  stopServers(): Promise<void>
  /** What runs beside the server that is measured. */
  processes(): Processes
  readonly say: (text: string) => void
}

type Servers = Pick<Bench, 'server' | 'stopServers' | 'processes'>

/** The servers of a run; each starts when the first part needs it. */
export function createServers(place: { dataDir: string; databaseUrl: string; postgresPid: number }): Servers {
  const running = new Map<Way, MeasuredServer>()
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

/** Puts every open order out of a worker's reach, so that it finds only what comes later. */
export async function setOpenOrdersAside(db: Db): Promise<void> {
  await sql`update open_orders set next_step_at = 'infinity' where next_step_at < 'infinity'`.execute(db)
  await sql`vacuum analyze open_orders`.execute(db)
}
