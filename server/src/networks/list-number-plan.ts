import type { Db } from '../platform/database/database.ts'

/** Lists the networks of each prefix, in the order of prefixes. */
export async function listPrefixes(db: Db): Promise<Record<string, string[]>> {
  const rows = await db.selectFrom('number_prefixes').selectAll().orderBy('prefix').orderBy('network').execute()
  const networks: Record<string, string[]> = {}
  for (const { prefix, network } of rows) (networks[prefix] ??= []).push(network)
  return networks
}

/** A phone number whose owner kept it when moving to another mobile operator. */
export type ListedPortedNumber = { readonly number: string; readonly network: string; readonly recordedAt: Date }

const selectPortedNumbers = (db: Db) => db.selectFrom('ported_numbers').select(['number', 'network', 'recorded_at as recordedAt'])

/** Lists ported numbers, the newest first. */
export function listPortedNumbers(db: Db, { limit }: { readonly limit: number }): Promise<ListedPortedNumber[]> {
  return selectPortedNumbers(db).orderBy('recorded_at', 'desc').orderBy('number').limit(limit).execute()
}

/**
 * Finds ported numbers by their first digits, in order.
 * @param asked.begins digits, at most 10; an empty text finds all
 * @param asked.after only numbers after this one, the last of the previous page
 */
export function findPortedNumbers(
  db: Db,
  asked: { readonly begins: string; readonly after?: string | undefined; readonly limit: number },
): Promise<ListedPortedNumber[]> {
  const { begins, after, limit } = asked
  // A range between the first and the last possible number: the key's index can find a range in any locale, but not a `like`.
  return selectPortedNumbers(db)
    .where('number', '>=', begins.padEnd(10, '0'))
    .where('number', '<=', begins.padEnd(10, '9'))
    .$if(after !== undefined, (query) => query.where('number', '>', after ?? ''))
    .orderBy('number')
    .limit(limit)
    .execute()
}
