import type { Db, Tx } from '../../platform/database/database.ts'
import { listPutAwayMonths, type PutAwayMonth } from '../../platform/parts/put-away-months.ts'

/** The place of an order's history that is put away. */
export type PutAwayHistory = Pick<PutAwayMonth, 'month' | 'folder' | 'host'>

/** Finds where the history of an order is put away: its moves, attempts and transfers. Undefined when it is in the database. */
export async function findPutAway(db: Db | Tx, orderId: string): Promise<PutAwayHistory | undefined> {
  const month = (await listPutAwayMonths(db)).find(({ first, end }) => orderId >= first && orderId < end)
  if (!month) return undefined
  const stayed = await db.selectFrom('transfers').select('cause_id').where('cause_id', '=', orderId).executeTakeFirst()
  return stayed ? undefined : month
}

/** Says of an order that its history is put away, and where. */
export const describePutAway = ({ month, folder, host }: PutAwayHistory): string =>
  `put away in ${month}${folder === null ? '' : `, in ${folder} on ${host}`}`
