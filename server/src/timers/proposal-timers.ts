import { sql } from 'kysely'
import { gatewayKind } from '../gateways/change-gateway.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { supplierKind } from '../suppliers/registry/change-supplier.ts'

const tables = [
  { table: 'proposed_supplier_credentials', kind: supplierKind },
  { table: 'proposed_gateway_credentials', kind: gatewayKind },
] as const

/**
 * Deletes sealed credentials whose proposal was refused or expired: nobody can agree to them any more. Those of a proposal that
 * is made at this moment stay, because their row has another id.
 */
export async function forgetProposedCredentials(db: Db): Promise<void> {
  for (const { table, kind } of tables) {
    await sql`
      with forgotten as materialized (
        select id from ${sql.table(table)} as proposed
        where not exists (
          select from approvals
          where kind = ${kind.name} and key = proposed.name and state = 'pending' and expires_at > clock_timestamp()
            and request ->> 'secretId' = proposed.id::text)
      )
      delete from ${sql.table(table)} as proposed using forgotten where proposed.id = forgotten.id`.execute(db)
  }
}

/** The timer that forgets what only a proposal that has ended needed. */
export function proposalTimers(db: Db): Timer[] {
  return [{ name: 'proposed credentials', everySeconds: 3_600, isExclusive: true, run: () => forgetProposedCredentials(db) }]
}
