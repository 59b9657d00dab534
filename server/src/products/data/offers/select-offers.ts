import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** As `titleOfBundle` writes it. A volume is written as JavaScript writes it: 1.5, not 1.500. */
const titleInSql = sql<string>`packages.network || ' ' || packages.volume_gb::float8 || 'GB'`

/** Suppliers' offers of the packages with these titles, closed ones included. */
export function selectOffers(db: Db, titles: Iterable<string>) {
  return selectAllOffers(db).where(titleInSql, 'in', [...new Set(titles)])
}

export function selectAllOffers(db: Db) {
  return db
    .selectFrom('package_offers')
    .innerJoin('packages', 'packages.id', 'package_offers.package_id')
    .select([titleInSql.as('title'), 'package_id', 'supplier', 'code', 'cost'])
}
