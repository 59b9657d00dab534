import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { Timer } from '../../platform/housekeeping/run-timers.ts'
import type { SupplierRegistry } from '../../suppliers/ports.ts'
import type { Routes } from '../../suppliers/route-ports.ts'
import { outgoingReference } from '../outgoing-reference.ts'

type AskDeps = {
  readonly db: Db
  readonly registry: Pick<SupplierRegistry, 'find'>
  readonly routes: Pick<Routes, 'list'>
  readonly log: Pick<Logger, 'warn'>
}

/** One round asks at most this many questions. */
const roundMax = 30
const callSeconds = 30
/** Until the answer is `delivered` or `failed`, the supplier is asked again after this time, for at most `askDays` days. */
const askAgainSeconds = 60
const askDays = 7

const isToAsk = sql`
  answer is distinct from 'delivered' and answer is distinct from 'failed'
  and (asked_at is null or asked_at < now() - make_interval(secs => ${sql.lit(askAgainSeconds)}))
  and exists (select from history_gaps where id = gap_id and noticed_at > now() - make_interval(days => ${sql.lit(askDays)}))`

const hasNoRow = sql`
  not exists (select from missing_sends where missing_sends.order_id = missing_orders.order_id)`

/**
 * Writes down, for each missing order of which no send is known, the reference that its first attempt would have at each
 * supplier of its product. The references are calculated from the order's id. Orders of products without a supplier are left
 * out, because they would fill every round.
 */
async function recordPossibleSends({ db, routes }: AskDeps): Promise<void> {
  const routesOf = Map.groupBy(routes.list(), ({ product }) => product)
  const { rows } = await sql<{ orderId: string; gapId: string; kind: string }>`
    select order_id as "orderId", gap_id as "gapId", kind from missing_orders
    where released_at is null and kind = any(${[...routesOf.keys()]}::text[]) and ${hasNoRow}
    order by order_id limit ${roundMax}`.execute(db)
  const sends = rows.flatMap(({ kind, ...order }) => {
    const suppliers = new Set(routesOf.get(kind)?.map(({ supplier }) => supplier))
    return [...suppliers].map((supplier) => ({ ...order, supplier, reference: outgoingReference(order.orderId, supplier, 1) }))
  })
  if (sends.length === 0) return
  await sql`
    insert into missing_sends ${rowsOf(sends, {
      order_id: ['uuid', ({ orderId }) => orderId],
      gap_id: ['uuid', ({ gapId }) => gapId],
      supplier: ['text', ({ supplier }) => supplier],
      outgoing_reference: ['text', ({ reference }) => reference],
    }).forInsert()} on conflict do nothing`.execute(db)
}

/**
 * Asks suppliers what they know of sends that the database has lost, so that people can decide about them. A question changes
 * nothing, so it is also asked while sales and sends are stopped.
 */
export async function askAboutMissing(deps: AskDeps): Promise<void> {
  const { db, registry, log } = deps
  await recordPossibleSends(deps)
  const { rows } = await sql<{ supplier: string; reference: string }>`
    select supplier, outgoing_reference as reference from missing_sends where ${isToAsk}
    order by asked_at nulls first limit ${roundMax}`.execute(db)
  await Promise.all(
    rows.map(async ({ supplier: name, reference }) => {
      const supplier = registry.find(name)
      const answer =
        supplier === undefined || supplier.statusNeedsSupplierReference === true
          ? 'cannot_ask'
          : await supplier
              .askStatus({ outgoingReference: reference, supplierReference: null }, AbortSignal.timeout(callSeconds * 1_000))
              .then(({ meaning }) => meaning)
              .catch((error: unknown) => {
                log.warn({ err: error, supplier: name }, 'a supplier could not be asked about a lost send')
                return 'unknown'
              })
      await sql`update missing_sends set asked_at = clock_timestamp(), answer = ${answer}
        where supplier = ${name} and outgoing_reference = ${reference}`.execute(db)
    }),
  )
}

/** Asks while something is missing. One worker at a time. */
export const missingTimer = (deps: AskDeps): Timer => ({
  name: 'missing sends',
  everySeconds: 5,
  isExclusive: true,
  isDue: sql`(exists (select from missing_sends where ${isToAsk})
    or exists (select from missing_orders where released_at is null and ${hasNoRow}
      and exists (select from routes where product = missing_orders.kind)))`,
  run: () => askAboutMissing(deps),
})
