import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Timer } from '../../platform/housekeeping/run-timers.ts'
import { revokeKey } from '../revoke-key.ts'

const isOver = sql`status <> 'revoked' and ends_at is not null and ends_at <= clock_timestamp()`

/** Revokes the keys whose end has come. They are refused from that moment on; this makes it known. */
export async function endKeys(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from api_keys where ${isOver} limit 100`.execute(db)
  for (const { id } of rows) await inTransaction(db, (tx) => revokeKey(tx, { keyId: id, actor: 'worker' }))
}

export const endKeysTimer = (db: Db): Timer => ({
  name: 'keys that end',
  everySeconds: 15,
  isExclusive: true,
  isDue: sql<boolean>`exists (select from api_keys where ${isOver})`,
  run: () => endKeys(db),
})
