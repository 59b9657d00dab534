import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import {
  holds,
  type PersonalRow,
  type PersonalSource,
  scanTable,
  type WantedPerson,
} from '../../platform/forgetting/personal-source.ts'
import { amongIds } from '../../platform/partitions/partitions.ts'
import { readEvidence } from '../packed-evidence.ts'
import { conditionsOfRecipient } from '../queries/order-filters.ts'
import { forgetOrders, type RecipientHash } from './forget-orders.ts'

/**
 * Products whose details may hold a number or an e-mail besides the recipient. With this `network`, the index on product and
 * network finds their orders.
 */
const detailed = [
  { kind: 'utilities', network: 'ecg' },
  { kind: 'results_checker', network: '' },
]

/** Finds the ids of the orders to a person, including those that name the person only in their details. */
export async function findOrdersTo(db: Db, person: WantedPerson): Promise<string[]> {
  const conditions = conditionsOfRecipient({ recipients: person.forms, recipientHash: person.hash })
  const { rows } = await sql<{ id: string }>`${sql.join(
    conditions.map((condition) => sql`(select id from orders where ${condition})`),
    sql` union `,
  )}`.execute(db)
  const ids = new Set(rows.map(({ id }) => id))
  for (const { kind, network } of detailed) {
    const hits = await scanTable(db, {
      table: 'orders',
      columns: sql`id`,
      within: sql`kind = ${kind} and coalesce(details ->> 'network', details ->> 'biller', '') = ${network}`,
      where: holds(sql`details::text`, person),
    })
    for (const { id } of hits) ids.add(id)
  }
  return [...ids].toSorted()
}

async function readRows(db: Db, select: (ids: readonly string[]) => ReturnType<typeof sql>, person: WantedPerson) {
  const ids = await findOrdersTo(db, person)
  const { rows } = await select(ids).execute(db)
  return rows as PersonalRow[]
}

const ordersTo = (hash: RecipientHash): PersonalSource => ({
  table: 'orders',
  title: 'Orders',
  find: ({ db }, person) =>
    readRows(
      db,
      (ids) => sql`
        select orders.id, accounts.email as account, kind as product, reference, orders.status, price, recipient, details, source,
          orders.created_at, exists (select from open_orders where order_id = orders.id) as is_open,
          recipient_hash is not null as is_forgotten
        from orders left join accounts on accounts.id = orders.account_id
        where ${amongIds('orders.id', ids)} order by orders.id`,
      person,
    ),
  erase: (tx, rows, _person, erasure) =>
    forgetOrders(
      tx,
      hash,
      rows.map(({ id }) => id),
      erasure,
    ),
  keptBecause: 'the order is open: it needs the number until its end, so erase again then',
})

/** Data that is erased together with the orders that it is about. */
const besideOrders: readonly PersonalSource[] = [
  {
    table: 'attempt_answers',
    title: 'Answers of suppliers about these orders',
    async find({ db }, person) {
      const rows = await readRows(
        db,
        (ids) => sql`
          select attempt_answers.answer_no::text as id, order_id, supplier, source, answer, evidence, account_name, attempt_answers.created_at
          from attempts join attempt_answers using (order_id, attempt_no)
          where order_id = any(${ids}::uuid[]) order by answer_no`,
        person,
      )
      return rows.map((row) => ({ ...row, evidence: readEvidence(row.evidence as Buffer) }))
    },
  },
  {
    table: 'contradictions',
    title: 'Suppliers’ contradictions of these orders',
    find: ({ db }, person) =>
      readRows(
        db,
        (ids) =>
          sql`select id, order_id, status, evidence, created_at from contradictions where order_id = any(${ids}::uuid[]) order by id`,
        person,
      ),
  },
  {
    table: 'order_reports',
    title: 'Reports that an order did not arrive',
    find: ({ db }, person) =>
      readRows(
        db,
        (ids) => sql`
          select order_id as id, reason, reported_at, answer, answered_at from order_reports
          where order_id = any(${ids}::uuid[]) order by order_id`,
        person,
      ),
  },
]

/** The orders to a person, with everything that is kept about these orders. */
export const ordersOfPerson = (hash: RecipientHash): readonly PersonalSource[] => [ordersTo(hash), ...besideOrders]
