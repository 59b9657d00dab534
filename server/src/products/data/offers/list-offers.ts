import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'

export type ListedOffer = {
  readonly network: string
  readonly volumeGb: number
  readonly supplier: string
  readonly code: string
  readonly costPesewas: Pesewas
  /** Null: open. */
  readonly closedAt: Date | null
  readonly closedBecause: string | null
}

export async function listOffers(db: Db): Promise<ListedOffer[]> {
  const { rows } = await sql<{
    network: string
    volume_gb: number
    supplier: string
    code: string
    cost: number
    closed_at: Date | null
    closed_because: string | null
  }>`
    select packages.network, volume_gb::float8 as volume_gb, supplier, code, cost, closed_at, closed_because
    from package_offers
    join packages on packages.id = package_id
    left join networks on networks.product = 'data' and networks.name = packages.network
    order by networks.position, packages.volume_gb, supplier`.execute(db)
  return rows.map((row) => ({
    network: row.network,
    volumeGb: row.volume_gb,
    supplier: row.supplier,
    code: row.code,
    costPesewas: pesewas(row.cost),
    closedAt: row.closed_at,
    closedBecause: row.closed_because,
  }))
}
