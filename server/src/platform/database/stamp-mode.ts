import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/** Whether money in a database is play money, spent at the simulator, or real. */
export type Mode = 'simulated' | 'live'

/**
 * Stamps the database with the mode of its first start. Afterwards it refuses the other mode, so that
 * simulated orders never meet real suppliers, and real money never meets the simulator.
 */
export async function stampMode(db: Db, mode: Mode): Promise<void> {
  await sql`insert into installation (mode) values (${mode}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ mode: Mode }>`select mode from installation`.execute(db)
  const stamped = rows[0]?.mode
  if (stamped === mode) return
  const wanted = stamped === 'live' ? 'live' : 'simulator'
  throw new Error(
    `This database is ${stamped}, and a process that is ${mode} must not work on it. ` +
      `Set SUPPLIERS=${wanted}, or give this process another database (DATABASE_URL, or another DATA_DIR).`,
  )
}

/** Whether a database was stamped for real money. One that no process served yet is not. */
export async function isLiveDatabase(db: Db | Tx): Promise<boolean> {
  const installation = await db.selectFrom('installation').select('mode').executeTakeFirst()
  return installation?.mode === 'live'
}
