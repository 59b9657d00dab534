import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { HistoryWatch } from '../../platform/history/history-watch.ts'
import type { Attempt } from '../attempt.ts'
import { createRecentMemory } from './recent-memory.ts'

type Send = Pick<Attempt, 'orderId' | 'attemptNo' | 'supplier' | 'outgoingReference'>

/** The sends of a worker's last minutes. */
export type SentMemory = { add(attempt: Send): void }

/** Remembers what this worker sends. After a gap it stores the sends whose attempts the database has lost. */
export function rememberSends(history: HistoryWatch, db: Db): SentMemory {
  const remembered = createRecentMemory<Send>()
  history.onNewServer(async (connection) => {
    const newest = remembered.newest()
    if (newest.length === 0) return undefined
    const lost = await connection.query(
      `select from unnest($1::uuid[], $2::integer[]) as told (order_id, attempt_no) where not exists (
        select from attempts where attempts.order_id = told.order_id and attempts.attempt_no = told.attempt_no) limit 1`,
      [newest.map(({ orderId }) => orderId), newest.map(({ attemptNo }) => attemptNo)],
    )
    return lost.rows.length === 0 ? undefined : 'an attempt that was sent is missing'
  })
  history.onGap(async (gap) => {
    await sql`
      insert into missing_sends (order_id, gap_id, sent_at, supplier, outgoing_reference)
      select told.order_id, ${gap.id}, told.sent_at, told.supplier, told.outgoing_reference
      from ${rowsOf(remembered.all(), {
        order_id: ['uuid', ({ value }) => value.orderId],
        attempt_no: ['integer', ({ value }) => value.attemptNo],
        sent_at: ['timestamptz', ({ at }) => at],
        supplier: ['text', ({ value }) => value.supplier],
        outgoing_reference: ['text', ({ value }) => value.outgoingReference],
      }).as('told')}
      where not exists (
        select from attempts where attempts.order_id = told.order_id and attempts.attempt_no = told.attempt_no)
      on conflict do nothing`.execute(db)
  })
  return { add: (attempt) => remembered.add(attempt.outgoingReference, attempt) }
}
