import { sql } from 'kysely'
import { makeManyOrders, numbered } from './orders/queries/many-orders.fixture.ts'
import type { Db } from './platform/database/database.ts'

/** Rows of most kinds of findable things. There are a thousand accounts. */
export const thingsCount = 20_000

const id = sql`('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
const account = sql`('00000000-0000-7000-8000-' || lpad((1 + n % 1000)::text, 12, '0'))::uuid`
const all = sql`generate_series(1, ${sql.lit(thingsCount)}) as n`
/** The id of something that was made `n` milliseconds ago, for partitioned tables. */
const placed = sql`first_id_at(now() - n * interval '1 millisecond')`
/** Rows of each kind of proposal or request that still wait. */
const waiting = sql.lit(150)
const number = sql`'024' || lpad(n::text, 7, '0')`

/** Rows that no process would write, but so many in each searched table that PostgreSQL uses the indexes. */
export async function makeManyThings(owner: Db): Promise<void> {
  await makeManyOrders(owner, 50_000)
  const statements = [
    sql`insert into suppliers (name, adapter) select 'supplier-' || n, 'stub' from generate_series(1, 5) as n`,
    sql`insert into order_references select 'ref-' || n, ${account}, ${id}, 'data', '' from ${all}`,
    sql`insert into account_references select ${account}, 'sms', 'own-' || n, ${id}, 'sms', '' from ${all}`,
    sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence, supplier_reference)
      select order_id, 1, 'send', 'delivered', 'ok', 'sup-' || order_id from attempts`,
    sql`insert into api_keys (id, account_id, type, digest, prefix, hint, status, revoked_at)
      select ${id}, ${account}, 'standard', sha256(n::text::bytea), 'makola_live_', lpad(to_hex(n), 4, 'x'), 'revoked', now() from ${all}`,
    sql`insert into wallet_credits (id, account_id, purse, external_id, amount, actor)
      select ${id}, ${account}, 'main', case when n % 2 = 0 then 'cash RECEIPT' || n else 'receipt-' || n end, 1, 'ama' from ${all}`,
    sql`insert into commission_moves (id, account_id, external_id, amount, actor) select ${id}, ${account}, 'move-' || n, 1, 'ama' from ${all}`,
    sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after)
      select first_id_at(now() - n * interval '1 second'), 'credit', ${numbered(1)}, 'top_ups', 'main', 1, n, n from ${all}`,
    sql`insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, made_by, transfer_reference, transfer_key,
        state, reason, ended_at)
      select ${id}, ${account}, 'transfer', 'pay-' || n, 'page-' || n, 100, 0, 'ama', 'MOMO ' || n, 'MOMO' || n,
        case when n <= ${waiting} then 'waiting' else 'declined' end, case when n > ${waiting} then 'r' end,
        case when n > ${waiting} then now() end from ${all}`,
    sql`insert into approvals (id, kind, key, subject, request, reason, proposed_by, proposed_os_user, state, decided_by, decided_at)
      select ${id}, 'wallet credit', 'bank SLIP' || n, 's', '{}', 'r', 'ama', 'ama', case when n <= ${waiting} then 'pending' else 'refused' end,
        case when n > ${waiting} then 'kofi' end, case when n > ${waiting} then now() end from ${all}`,
    sql`insert into ported_numbers (number, network) select ${number}, 'MTN' from ${all}`,
    sql`insert into registrations (number, server, state) select ${number}, 1, 'registered' from ${all}`,
    sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
        recipients_count, credits_charged, open_count, is_bulk, settled_at)
      select ${placed}, ${account}, 'completed', 'api', 'AMA', 'x', 'gsm7', 'standard', 1, '{233241234567}', 1, 1, 0, false, now() from ${all}`,
    sql`insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier)
      select ${placed}, 1, '233241234567', 'MTN', false, 'delivered', 'answered', 'supplier-1' from ${all}`,
    sql`insert into sms_parts (campaign_id, n, part_no, supplier, message_key, recipient_tail)
      select ${placed}, 1, 1, 'supplier-1', 'key' || n, '241234567' from ${all}`,
    sql`insert into voucher_types (id, name, price_customer, price_agent, price_dealer)
      select ${id}, 'type ' || n, 3, 2, 1 from generate_series(1, 4) as n`,
    sql`insert into vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash)
      select ${id}, ('00000000-0000-7000-8000-00000000000' || 1 + n % 4)::uuid, '', sha256(n::text::bytea), '', sha256(n::text::bytea) from ${all}`,
    sql`insert into withdrawn_vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash, imported_at, approval_id)
      select ${id}, ('00000000-0000-7000-8000-00000000000' || 1 + n % 4)::uuid, '', sha256(n::text::bytea), '', sha256(n::text::bytea),
        now(), ${numbered(1)} from ${all}`,
    sql`insert into supplier_statements (id, supplier, file_hash, file_name, line_count, imported_by)
      select ${id}, 'supplier-1', sha256(n::text::bytea), 'july.csv', 1, 'ama' from generate_series(1, 1000) as n`,
    sql`insert into statement_lines (statement_id, line_no, reference, finding, order_id, attempt_no)
      select ${numbered(1)}, n, 'line-' || n, 'theirs_only', ${id}, 1 from ${all}`,
    sql`insert into unrefunded_orders (order_id) select id from orders limit ${sql.lit(thingsCount)} on conflict do nothing`,
    sql`insert into reconciliation_differences (id, supplier, kind, statement_id, line_no, reference)
      select ${id}, 'supplier-1', 'theirs_only', ${numbered(1)}, n, 'line-' || n from ${all}`,
    sql`insert into problems (id, account_id, text, reported_by, state, answer, ended_by, ended_at)
      select ${id}, ${account}, 'text ' || n, 'ama', case when n <= ${waiting} then 'waiting' else 'answered' end,
        case when n > ${waiting} then 'seen' end, case when n > ${waiting} then 'kofi' end, case when n > ${waiting} then now() end from ${all}`,
    sql`insert into persons (id, name, email) select ${id}, 'person ' || n, 'person-' || n || '@example.test' from ${all}`,
    sql`insert into members (person_id, account_id, role) select ${id}, ${account}, 'buyer' from ${all}`,
    sql`insert into lost_factors (id, person_id) select ${id}, ${id} from generate_series(1, ${waiting}) as n`,
    sql`analyze`,
  ]
  for (const statement of statements) await statement.execute(owner)
}
