import type { Db } from '../../platform/database/database.ts'

export const idPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * Replaces ids in a text by names. An id without a name is cut to its last four characters.
 */
export const replaceIdsByNames = (text: string, names: ReadonlyMap<string, { readonly name: string }>): string =>
  text.replaceAll(idPattern, (id) => names.get(id.toLowerCase())?.name ?? `…${id.slice(-4)}`)

/** Replaces accounts' ids in a text by names. Other ids stay, because commands take them. */
export async function withAccountNames(db: Db, text: string): Promise<string> {
  const ids = new Set(text.toLowerCase().match(idPattern))
  if (ids.size === 0) return text
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return text.replaceAll(idPattern, (id) => names.get(id.toLowerCase()) ?? id)
}
