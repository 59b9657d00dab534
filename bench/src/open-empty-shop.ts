import { sql } from 'kysely'
import { connectDatabase, type Db } from '../../server/src/platform/database/database.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import type { Bench } from './bench-servers.ts'
import { openShop, type ShopAccount } from './open-shop.ts'
import { type MeasuredServer, startServer } from './start-servers.ts'

/** A second database on the same PostgreSQL server, without stored orders. */
const emptyName = 'makola_without_history'

/** The address of another database of the same server. */
export function addressOf(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

export type EmptyShop = {
  /** Connected as the tables' owner. */
  readonly db: Db
  readonly accounts: readonly ShopAccount[]
  readonly server: MeasuredServer
  /** Stops its server and removes its database. */
  close(): Promise<void>
}

export async function openEmptyShop(bench: Bench): Promise<EmptyShop> {
  await sql`create database ${sql.id(emptyName)}`.execute(bench.db)
  const db = connectDatabase({ url: addressOf(bench.ownerUrl, emptyName), poolSize: 2, applicationName: 'makola bench' })
  await migrate(db)
  const accounts = await openShop(db, bench.accounts.length)
  const server = await startServer('candidate', bench.dataDir, addressOf(bench.databaseUrl, emptyName))
  return {
    db,
    accounts,
    server,
    async close() {
      await server.stop()
      await db.destroy()
      await sql`drop database ${sql.id(emptyName)}`.execute(bench.db)
    },
  }
}
