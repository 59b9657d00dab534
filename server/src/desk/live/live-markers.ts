import { type RawBuilder, sql } from 'kysely'
import type { LiveTopic } from './live-topics.ts'

/**
 * A value that changes when data of its topics changes. Reading it is cheap: a few pages of an index, a sequence, or a table
 * with few rows.
 */
type LiveMarker = {
  readonly topics: readonly LiveTopic[]
  readonly read: RawBuilder<unknown>
  /** True: the marker can change before its transaction commits. A sequence does. */
  readonly isEarly?: true
}

/**
 * How many of the newest ids make a marker. One is not enough: ids are given before their transaction commits, so an older id
 * may become visible after a newer one.
 */
const newestCount = 5

/** The most running campaigns that a marker reads, newest first. */
const campaignsMax = 200

/** The most rows of a state that a marker reads. A change of further rows may go unnoticed until the screen is opened again. */
const rowsMax = 10_000

const newest = (table: string, column = 'id') => sql`(
  select string_agg(id::text, ' ') from (
    select ${sql.ref(column)} as id from ${sql.table(table)} order by ${sql.ref(column)} desc limit ${sql.lit(newestCount)}
  ) as newest)`

/**
 * The count of the rows in a state, and a hash of their ids that does not depend on the order of reading. Only for states of few
 * rows; `condition` must be that of a partial index.
 */
const countAndHash = (table: string, condition: RawBuilder<unknown>, id = 'id') => sql`(
  select concat_ws(' ', count(*), bit_xor(hashtextextended(id::text, 0))) from (
    select ${sql.ref(id)} as id from ${sql.table(table)} where ${condition} limit ${sql.lit(rowsMax)}
  ) as counted)`

const sequence = (name: string) => sql`(select concat_ws(' ', last_value, is_called) from ${sql.table(name)})`

const everyRow = (table: string, columns: RawBuilder<unknown>) => sql`(
  select string_agg(concat_ws(' ', ${columns}), ',' order by name) from ${sql.table(table)})`

const ofConfiguration: readonly LiveTopic[] = ['packages', 'switches', 'numbers', 'suppliers', 'keys', 'accounts', 'vouchers']

/**
 * While a desk has a stream open, its API process reads all markers once a second, in one statement, to learn which screens have
 * changed.
 */
export const liveMarkers: readonly LiveMarker[] = [
  { topics: ['orders'], read: newest('orders') },
  { topics: ['orders'], read: sequence('order_events_event_no_seq'), isEarly: true },
  { topics: ['orders'], read: sequence('attempt_answers_answer_no_seq'), isEarly: true },
  { topics: ['orders', 'needs'], read: newest('unrefunded_orders', 'failed_at') },
  { topics: ['orders', 'needs'], read: countAndHash('order_reports', sql`answered_at is null`, 'order_id') },
  {
    topics: ['afa', 'needs'],
    read: sql`(
      select string_agg(id::text, ' ') from (
        select id from orders where kind = 'afa' and coalesce(details ->> 'network', details ->> 'biller', '') = ''
        order by id desc limit ${sql.lit(newestCount)}
      ) as newest)`,
  },
  { topics: ['sms'], read: newest('sms_campaigns') },
  {
    topics: ['sms'],
    read: sql`(
      select string_agg(id::text || ' ' || open_count, ',') from (
        select id, open_count from sms_campaigns where status = 'processing' order by id desc limit ${sql.lit(campaignsMax)}
      ) as counted)`,
  },
  { topics: ['approvals', 'needs'], read: countAndHash('approvals', sql`state = 'pending'`) },
  { topics: ['accounts'], read: newest('accounts') },
  { topics: ['keys', 'needs'], read: countAndHash('api_keys', sql`status = 'pending'`) },
  { topics: ['business', 'needs'], read: countAndHash('business_requests', sql`state = 'waiting'`) },
  { topics: ['problems', 'needs'], read: countAndHash('problems', sql`ended_at is null`) },
  { topics: ['accounts', 'needs'], read: newest('lost_factors') },
  { topics: ['top-ups'], read: newest('top_ups') },
  { topics: ['top-ups'], read: countAndHash('top_ups', sql`next_ask_at is not null`) },
  { topics: ['top-ups', 'needs'], read: countAndHash('top_ups', sql`state in ('waiting', 'held')`) },
  { topics: ['senders', 'needs'], read: countAndHash('sms_senders', sql`status = 'requested'`) },
  { topics: ['notices'], read: newest('reseller_notices', 'created_at') },
  { topics: ['notices'], read: countAndHash('reseller_notices', sql`state in ('queued', 'sending')`) },
  { topics: ['vouchers'], read: everyRow('voucher_types', sql`name, available_count`) },
  { topics: ['suppliers', 'needs', 'today'], read: everyRow('suppliers', sql`name, float_pesewas, float_read_at`) },
  { topics: ['reconcile', 'needs'], read: newest('reconciliation_differences', 'found_at') },
  { topics: ['reports', 'today'], read: sql`(select counted_at from report_progress)` },
  { topics: ['alarms', 'needs'], read: countAndHash('alarms', sql`cleared_at is null`) },
  { topics: ofConfiguration, read: sql`(select epoch from cache_epoch)` },
]

/** The ids of the newest lines of the operator's log, by the first word of their actions, as a JSON object. */
export const newestActions = sql`(
  with recursive words as (
    (select split_part(action, ' ', 1) as word from operator_log order by 1 limit 1)
    union all
    select (select split_part(action, ' ', 1) from operator_log where split_part(action, ' ', 1) > words.word order by 1 limit 1)
    from words where words.word is not null
  )
  select jsonb_object_agg(words.word, newest.ids) from words
  cross join lateral (
    select string_agg(id::text, ' ') as ids from (
      select id from operator_log where split_part(action, ' ', 1) = words.word order by id desc limit ${sql.lit(newestCount)}
    ) as few
  ) as newest
  where words.word is not null)`
