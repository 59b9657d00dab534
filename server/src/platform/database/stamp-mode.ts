import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/**
 * `simulated`: the money is pretended, for the simulator. `live`: it is real. `test`: the money is pretended, and this is the
 * test side of another installation.
 */
export type Mode = 'simulated' | 'live' | 'test'

/**
 * Writes the mode of the first start into the database. Later starts in another mode are refused, so that simulated orders
 * never reach real suppliers, and real orders never reach the simulator.
 */
export async function stampMode(db: Db, mode: Mode): Promise<void> {
  await sql`insert into installation (mode) values (${mode}) on conflict do nothing`.execute(db)
  const stamped = await findMode(db)
  if (stamped === mode) return
  const wanted = stamped === 'live' ? 'SUPPLIERS=live' : stamped === 'test' ? 'TEST_SIDE_OF' : 'SUPPLIERS=simulator'
  throw new Error(
    `This database is ${stamped}, and a process that is ${mode} must not work on it. ` +
      `Set ${wanted}, or give this process another database (DATABASE_URL, or another DATA_DIR).`,
  )
}

/** Undefined for a database that no process has used yet. */
async function findMode(db: Db | Tx): Promise<Mode | undefined> {
  return (await db.selectFrom('installation').select('mode').executeTakeFirst())?.mode
}

export const isLiveDatabase = async (db: Db | Tx): Promise<boolean> => (await findMode(db)) === 'live'
export const isTestDatabase = async (db: Db | Tx): Promise<boolean> => (await findMode(db)) === 'test'
