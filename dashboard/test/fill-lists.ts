import { sql } from 'kysely'
import type { Db } from '../../server/src/platform/database/database.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../server/src/platform/operator-log/append-operator-log.ts'
import { emailOfStaff } from './make-staff.ts'
import type { BrowserShop } from './set-up-shop-in-browser.ts'

/** Rows of each kind. Half of the rows have one state, and even that half is more than a page of any list. */
const rowsCount = 240

const all = sql`generate_series(1, ${sql.lit(rowsCount)}) as n`
const isFirstHalf = sql`n <= ${sql.lit(rowsCount / 2)}`
const idOf = (no: ReturnType<typeof sql>) => sql`('00000000-0000-7000-8000-' || lpad((${no})::text, 12, '0'))::uuid`
const id = idOf(sql`n`)
/** An id that is newer than those of the demo, and the smaller `n` is, the newer it is. */
const newId = sql`('ffffffff-0000-7000-8000-' || lpad((1000 - n)::text, 12, '0'))::uuid`
/**
 * An id from 20 days ago, within the demo's month. The month in a campaign's id decides in which partition of the table its row
 * lies.
 */
const idOfMonth = sql`(lpad(to_hex((extract(epoch from now() - interval '20 days') * 1000)::bigint), 12, '0') || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
const account = id
const oneOfTwo = idOf(sql`1 + n % 2`)
const ago = sql`now() - n * interval '1 minute'`

/** Accounts without money, so that the books stay as they are. */
const accounts = [
  sql`insert into accounts (id, name, email, role, status, is_business) select ${id}, 'Kwabɛna Shop ' || n, 'kwabena' || n || '@many.test',
    (array['agent', 'dealer'])[1 + n % 2], (array['active', 'suspended'])[1 + n % 2], n % 2 = 0 from ${all}`,
  sql`insert into wallets (account_id, purse) select ${id}, purse
    from ${all} cross join unnest(array['main', 'commission', 'sms_credits']) as purse`,
]

const office = [
  sql`insert into api_keys (id, account_id, type, digest, hint, prefix, status, revoked_at)
    select ${id}, ${account}, (array['standard', 'sms'])[1 + n % 2], sha256(n::text::bytea), lpad(to_hex(n), 4, '0'), 'mk',
      case when ${isFirstHalf} then 'pending' else 'revoked' end, case when ${isFirstHalf} then null else now() end from ${all}`,
  sql`insert into business_requests (id, account_id, name, registration_number, purpose, state, reason, asked_by, asked_at, decided_by, decided_at)
    select ${id}, ${account}, 'Business ' || n, 'BN-' || n, 'To sell', case when ${isFirstHalf} then 'waiting' else 'declined' end,
      case when ${isFirstHalf} then null else 'No' end, 'ama', ${ago}, case when ${isFirstHalf} then null else 'kofi' end,
      case when ${isFirstHalf} then null else now() end from ${all}`,
  sql`insert into approvals (id, kind, key, subject, request, reason, proposed_by, proposed_os_user, state, decided_by, decided_at)
    select ${id}, 'wallet credit', 'cash ' || n, ${account}::text, jsonb_build_object('accountId', ${account}, 'amount', 100, 'externalId', 'cash ' || n), 'Reason ' || n, 'ama', 'ama',
      case when ${isFirstHalf} then 'pending' else 'refused' end, case when ${isFirstHalf} then null else 'kofi' end,
      case when ${isFirstHalf} then null else now() end from ${all}`,
  sql`insert into alarms (id, name, subject, message, raised_at, cleared_at)
    select ${id}, 'contradiction', 'order ' || n, 'Message ' || n, ${ago}, case when ${isFirstHalf} then null else now() end from ${all}`,
  sql`insert into incidents (id, level, message, shown_from, shown_until, announced_by)
    select ${id}, 'news', 'Incident ' || n, now() - interval '2 days', now() - interval '1 day', 'ama' from ${all}`,
  sql`insert into problems (id, account_id, text, order_reference, reported_by, reported_at, state, answer, ended_by, ended_at)
    select ${id}, ${account}, 'Problem ' || n, 'called-' || n, 'ama', ${ago}, case when ${isFirstHalf} then 'waiting' else 'answered' end,
      case when ${isFirstHalf} then null else 'Answer ' || n end, case when ${isFirstHalf} then null else 'kofi' end,
      case when ${isFirstHalf} then null else now() end from ${all}`,
  sql`insert into ported_numbers (number, network) select (array['024', '020'])[1 + n % 2] || lpad(n::text, 7, '0'), 'MTN' from ${all}`,
  sql`insert into sms_senders (id, account_id, sender, status, requested_at, decided_at, decided_by, reason)
    select ${id}, ${account}, 'SHOP' || n, case when ${isFirstHalf} then 'requested' else 'rejected' end, ${ago},
      case when ${isFirstHalf} then null else now() end, case when ${isFirstHalf} then null else 'kofi' end,
      case when ${isFirstHalf} then null else 'No' end from ${all}`,
]

const wares = [
  sql`insert into scheduled_price_sets (id, effective_at, state, note, is_below_cost_allowed, made_by, ended_at, ended_by)
    select ${id}, date_trunc('minute', now()) + n * interval '1 day', case when ${isFirstHalf} then 'waiting' else 'cancelled' end,
      'Note ' || n, false, 'ama', case when ${isFirstHalf} then null else now() end, case when ${isFirstHalf} then null else 'ama' end from ${all}`,
  sql`insert into scheduled_prices (set_id, package_id, role, before, after)
    select ${idOf(sql`1`)}, (select id from packages order by id limit 1), 'agent', 420, 430`,
  sql`insert into package_changes (package_id, actor, action, reason, columns)
    select (select id from packages order by id limit 1), 'ama', 'packages set', 'Reason ' || n,
      '{"price_agent": {"before": 4.2, "after": 4.3}}' from ${all}`,
  sql`insert into voucher_batches (id, type_id, imported_at, imported, skipped, file_name, imported_by)
    select ${id}, (select id from voucher_types order by id limit 1), ${ago}, 1, 0, 'file ' || n || '.csv', 'ama' from ${all}`,
  sql`insert into supplier_statements (id, supplier, file_hash, file_name, line_count, imported_by)
    select ${id}, (array['datamart', 'datakazina'])[1 + n % 2], sha256(n::text::bytea), 'statement ' || n || '.csv', 1, 'ama' from ${all}`,
  sql`insert into reconciliation_differences
      (id, supplier, kind, statement_id, line_no, reference, amount_theirs, amount_ours, assigned_to, closed_at, closed_by, close_reason)
    select ${id}, (array['datamart', 'datakazina'])[1 + n % 2], (array['theirs_only', 'amount_differs'])[1 + n % 2], ${idOf(sql`1`)}, n,
      'differs-' || n, 100, 90, case when n % 2 = 0 then ${emailOfStaff('staff owner')} end,
      case when ${isFirstHalf} then null else now() end, case when ${isFirstHalf} then null else 'ama' end,
      case when ${isFirstHalf} then null else 'Found' end from ${all}`,
]

/** Rows of the account that signs in to the app, and of two others. */
const ofAccounts = (own: string) => [
  sql`insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, made_by, transfer_reference, transfer_key, state, reason, ended_at)
    select ${newId}, ${oneOfTwo}, 'transfer', 'pay-' || n, 'page-' || n, 100 * n, 0, 'ama', 'MOMO ' || n, 'MOMO' || n,
      case when ${isFirstHalf} then 'declined' else 'waiting' end, case when ${isFirstHalf} then 'No' end,
      case when ${isFirstHalf} then now() end from ${all}`,
  sql`insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, made_by, transfer_reference, transfer_key, state, reason, ended_at)
    select ${idOf(sql`9000 + n`)}, ${own}, 'transfer', 'own-' || n, 'own-' || n, 100 * n, 0, 'ama', 'OWN ' || n, 'OWN' || n,
      'declined', 'No', now() from ${all}`,
  sql`insert into reseller_notices (id, account_id, kind, about, channel, subject, body, state, ended_at, created_at)
    select ${newId}, case when ${isFirstHalf} then ${own}::uuid else ${oneOfTwo} end, 'balance_low', 'notice ' || n, 'email',
      'Subject ' || n, 'Text ' || n, 'sent', now(), ${ago} from ${all}`,
  sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, open_count, is_bulk, blocked_by, created_at)
    select ${idOfMonth}, case when ${isFirstHalf} then ${own}::uuid else ${oneOfTwo} end, 'blocked', 'dashboard', 'SHOP' || n, 'Text ' || n,
      'gsm7', 'standard', 1, '{}', 1, 0, 0, false, 'balance_alert', now() - interval '20 days' from ${all}`,
  sql`insert into request_log (id, key_id, called_at, method, path, status, milliseconds, request_id, order_references)
    select ${newId}, key.id, ${ago}, 'GET', (array['/balance', '/orders/:reference'])[1 + n % 2], (array[200, 404])[1 + n / 2 % 2], n,
      'request-' || n, array['called-' || n]
    from ${all}
    join lateral (select id from api_keys where account_id = ${own} order by type offset n % 2 limit 1) as key on true`,
]

const reports = sql`insert into order_reports
    (order_id, account_id, reason, status_then, reported_by, reported_at, answer, found, answered_by, answered_at)
  select id, account_id, 'Reason ' || n, status, 'ama', ${ago}, case when ${isFirstHalf} then null else 'Seen' end,
    case when ${isFirstHalf} then null else 'delivered' end, case when ${isFirstHalf} then null else 'kofi' end,
    case when ${isFirstHalf} then null else now() end
  from (select *, row_number() over (order by id) as n from orders where status = 'completed') as delivered
  where n <= ${sql.lit(rowsCount)} on conflict do nothing`

async function writeLog(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (let n = 1; n <= rowsCount; n += 1) {
      const [actor, action] = n % 2 === 0 ? ['cli:ama', 'account create'] : ['cli:kofi', 'setting set']
      await appendOperatorLog(tx, { actor, action, subject: `subject-${n}`, details: { reason: `Reason ${n}` } })
    }
  })
}

/** Sends a campaign and writes its messages as sent or delivered, because no worker runs that would send them. */
async function makeCampaign({ db, app, openPage }: BrowserShop, count: number): Promise<string> {
  const page = await openPage({ as: 'owner', path: null })
  const recipients = Array.from({ length: count }, (_, n) => `024${String(4_000_000 + n)}`).join('\n')
  const data = { message: 'Good morning', recipients, list_ids: [], credits: count, reference: 'every-list' }
  const answer = await page.request.post('/app/api/sms/send', { data, headers: { origin: app.url } })
  const { data: sent, error } = (await answer.json()) as { data?: { campaign_id: string }; error?: object }
  if (!sent) throw new Error(`the campaign is refused: ${JSON.stringify(error)}`)
  const { campaign_id: id } = sent
  await sql`insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier)
    select ${id}, n, '2332' || (44000000 + n), 'MTN', false, (array['sent', 'delivered'])[1 + n % 2], 'answered', 'smsc'
    from generate_series(1, ${sql.lit(count)}) as n`.execute(db)
  await sql`update sms_campaigns set expanded_at = now(), open_count = 0 where id = ${id}`.execute(db)
  return id
}

/**
 * Fills each list with more than one page, where the demo with its month has not done it.
 *
 * @returns the values that replace the words in capitals in `listWalks`
 */
export async function fillLists(shop: BrowserShop): Promise<Readonly<Record<string, string>>> {
  const { db, accountId } = shop
  for (const statement of [...accounts, ...office, ...wares, ...ofAccounts(accountId), reports]) await statement.execute(db)
  await writeLog(db)
  const { rows } = await sql<Record<string, string>>`
    select (select reference from orders where account_id = ${accountId} order by id limit 1) as "REFERENCE",
      (select recipient from orders where kind = 'data' order by id limit 1) as "RECIPIENT",
      (select reference from orders where kind = 'afa' order by id limit 1) as "AFA",
      (select id from api_keys where account_id = ${accountId} order by type limit 1) as "KEY",
      (select id from packages order by id limit 1) as "PACKAGE",
      (select id from voucher_types order by id limit 1) as "VOUCHERS"`.execute(db)
  return { ...rows[0], ACCOUNT: accountId, CAMPAIGN: await makeCampaign(shop, rowsCount) }
}
