import { sql } from 'kysely'
import { packEvidence } from '../../server/src/orders/packed-evidence.ts'
import type { Db } from '../../server/src/platform/database/database.ts'
import { newId } from '../../server/src/platform/database/new-id.ts'
import { createPartitions } from '../../server/src/platform/partitions/partitions.ts'

/**
 * Orders written per statement. The audit of a day looks again at the whole of the last sealed transaction, and no transaction of
 * the platform is large.
 */
const batchOrders = 10_000
const pricePesewas = 500

const recipientCount = 200_000

/** An answer of a supplier, stored as the worker stores it. */
const evidence = packEvidence(
  `HTTP 200 ${JSON.stringify({
    status: 'success',
    data: {
      ref: '01a2246accbd7000a5d73bc4372824db',
      orderReference: 'DM-00481516',
      phoneNumber: '0241234567',
      network: 'YELLO',
      capacity: '1',
      price: 4.3,
      orderStatus: 'completed',
      createdAt: '2026-11-28T23:08:28.734Z',
      updatedAt: '2026-11-28T23:08:29.737Z',
    },
    rateLimit: { limit: 1_000_000, remaining: 999_855, resetSeconds: 54 },
  })}`,
)

/** People buy repeatedly, and not in sequence: neighbouring orders have distant numbers. */
const recipient = sql`'024' || lpad((n * 7919 % ${sql.lit(recipientCount)} * 50)::text, 7, '0')`

/** Time of the first stored order, and the distance between two. */
export type StoredTimes = { readonly firstAt: number; readonly apartMilliseconds: number }

const longAgo: StoredTimes = { firstAt: 1_700_000_000_000, apartMilliseconds: 10 }

export type StoredOrders = { readonly accountId: string; readonly referenceOf: (index: number) => string }

/** Makes an account that can pay for the history. */
async function openHistoryAccount(db: Db, credit: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into accounts (id, email, name, role) values (gen_random_uuid(), gen_random_uuid() || '@bench.test', 'History', 'agent')
      returning id
    ), purses as (
      insert into wallets (account_id, purse) select id, purse from made, unnest(array['main', 'commission', 'sms_credits']) as purse
    )
    select id from made`.execute(db)
  const accountId = rows[0]?.id ?? ''
  await sql`
    with credited as (
      insert into wallet_credits (id, account_id, purse, amount, actor) values (${newId()}, ${accountId}, 'main', ${credit}, 'bench')
      returning id
    )
    insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after)
    select id, 'credit', ${accountId}, 'top_ups', 'main', ${credit}, 1, ${credit} from credited`.execute(db)
  return accountId
}

/** Writes completed orders of a new account, with their references, attempts, answers, events and transfers. */
export async function storeOrders(
  db: Db,
  count: number,
  onProgress: (stored: number) => void,
  { firstAt, apartMilliseconds }: StoredTimes = longAgo,
): Promise<StoredOrders> {
  await createPartitions(db, new Date(firstAt))
  // References and outgoing references stay used for ever, so they are made from `firstAt`, which must differ for each call.
  const name = `history-${firstAt}-`
  const credit = count * pricePesewas
  const accountId = await openHistoryAccount(db, credit)
  for (let from = 0; from < count; from += batchOrders) {
    const to = Math.min(count, from + batchOrders)
    await sql`
      with history as materialized (
        select n, lpad(to_hex(milliseconds), 12, '0') as hex, ${name}::text || n as reference, to_timestamp(milliseconds / 1000.0) as at
        from generate_series(${from}::bigint, ${to - 1}::bigint) as n
        cross join lateral (select ${firstAt}::bigint + floor(n * ${apartMilliseconds}::float8)::bigint as milliseconds) as moment
      ), numbered as materialized (
        select n, reference, at,
          (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3)
            || '-' || substr(md5(n::text), 7, 12))::uuid as id
        from history
      ), placed as (
        insert into orders (id, account_id, kind, reference, status, price, recipient, details, role, created_at, updated_at)
        select id, ${accountId}, 'data', reference, 'completed', ${pricePesewas}, ${recipient},
          '{"network": "MTN", "size": "1GB"}',
          'agent', at, at from numbered
      ), referred as (
        insert into order_references (reference, account_id, order_id, kind, fingerprint)
        select reference, ${accountId}, id, 'data', decode(md5(reference) || md5(reference), 'hex') from numbered
      ), tried as (
        insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome, created_at, answered_at, expected_cost)
        select id, 1, 'datamart', ${name}::text || n, at, 'delivered', at, at, ${pricePesewas - 70} from numbered
      ), answered as (
        insert into attempt_answers (order_id, attempt_no, source, answer, evidence, supplier_reference, created_at)
        select id, 1, source, answer, ${evidence}::bytea, 'SUP-' || n, at
        from numbered, (values ('send', 'accepted'), ('status', 'delivered')) as said (source, answer)
      ), moved as (
        insert into order_events (order_id, from_status, to_status, actor, created_at)
        select id, from_status, to_status, 'worker', at
        from numbered, (values ('pending', 'processing'), ('processing', 'completed')) as move (from_status, to_status)
      )
      insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after, created_at)
      select id, 'purchase', ${accountId}, 'main', 'sales', ${pricePesewas}, n + 2, ${credit}::bigint - (n + 1) * ${pricePesewas}, at
      from numbered`.execute(db)
    onProgress(to)
  }
  await sql`
    update wallets set balance = 0, last_entry_no = ${count + 1} where account_id = ${accountId} and purse = 'main'`.execute(db)
  await sql`vacuum analyze orders, order_references, transfers, attempts, attempt_answers, order_events`.execute(db)
  return { accountId, referenceOf: (index) => `${name}${index}` }
}
