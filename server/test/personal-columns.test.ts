import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './reading/read-sources.ts'

/** The columns of text, JSON, bytes or addresses that hold nothing about a person, by their tables. */
const withoutPersons: Readonly<Record<string, string>> = {
  installation: 'mode',
  partitioned_tables: 'name storage',
  put_away_months: 'state folder host row_counts manifest_hash',
  backups: 'kind place',
  settings: 'name value',
  operator_log: 'action',
  setting_returns: 'name value returns_to ended_how',
  secret_canaries: 'key_id ciphertext',
  number_keys: 'name key',
  forgetting_progress: 'name through',
  approvals: 'kind state',
  approval_references: 'reference status said',
  given_rights: 'role',
  ended_rights: 'role',
  chain_blocks: 'chain after_key through_key rows_hash row_marks previous_hash hash',
  chain_states: 'chain',
  chain_heads_sent: 'channel',
  history_lines: 'line',
  history_gaps: 'kept_back',
  missing_orders: 'kind reference repeat_key',
  missing_sends: 'answer outgoing_reference supplier',
  networks: 'product name',
  number_prefixes: 'prefix network',
  ported_numbers: 'network',
  accounts: 'role status',
  api_keys: 'type digest hint status prefix',
  account_notice_settings: 'muted',
  business_requests: 'state',
  problems: 'order_reference top_up_reference request_id state',
  request_log: 'method path request_id order_references',
  alarms: 'name subject about message command',
  alert_notices: 'change channel last_failure',
  courtesy_notices: 'channel state',
  reseller_notices: 'kind about channel state',
  incidents: 'level message',
  webhook_endpoints: 'events secret previous_secret state',
  webhook_events: 'type data',
  webhook_messages: 'status',
  webhook_deliveries: 'subject state failure',
  wallets: 'purse',
  transfers: 'kind from_purse to_purse',
  wallet_credits: 'purse page_reference',
  put_away_wallets: 'purse',
  wallet_checkpoints: 'purse keyed_hash',
  audit_proof: 'blocks keyed_hash',
  long_work: 'migration cursor',
  wallet_corrections: 'purse',
  commission_rates: 'product network',
  commission_shares: 'product role',
  order_commissions: 'source',
  top_ups: 'way reference page_reference state channel',
  top_up_pictures: 'media_type',
  loosenings: 'kind',
  gateways: 'name base_url credentials',
  proposed_gateway_credentials: 'name credentials',
  suppliers: 'name adapter base_url settings credentials credentials_set_at',
  routes: 'supplier product network state probe_said',
  route_refusals: 'supplier product network cause',
  supplier_float_reads: 'supplier',
  supplier_float_movements: 'supplier',
  proposed_supplier_credentials: 'name credentials',
  push_keys: 'name public_key private_key',
  push_devices: 'kinds',
  push_notices: 'kind',
  daily_figures: 'slice product network package role supplier',
  daily_purses: 'purse',
  supplier_hours: 'supplier outcome answer_steps delivery_steps',
  report_schedules: 'report grouping every',
  person_sessions: 'token',
  person_credentials: 'provider',
  person_passkeys: 'public_key transports',
  lost_factors: 'stop_digest',
  members: 'role',
  staff: 'role',
  member_invitations: 'role token_digest',
  person_mails: 'kind state',
  orders: 'kind reference status source role',
  order_references: 'reference kind',
  order_events: 'from_status to_status',
  open_orders: 'route',
  attempts: 'supplier outgoing_reference outcome supplier_reference',
  attempt_answers: 'source answer supplier_reference',
  contradictions: 'status',
  account_references: 'service reference kind',
  order_reports: 'status_then found',
  unit_costs: 'product key',
  own_prices: 'product item rule',
  shops: 'logo logo_type',
  sale_receipts: 'token',
  packages: 'network',
  package_offers: 'supplier code',
  package_changes: 'action columns',
  registrations: 'state',
  scheduled_price_sets: 'state',
  scheduled_prices: 'role',
  billers: 'key label account_label',
  looked_up_accounts: 'biller',
  voucher_types: 'name',
  vouchers: 'pin pin_hash serial_number serial_number_hash',
  withdrawn_vouchers: 'pin pin_hash serial_number serial_number_hash',
  sms_senders: 'sender status',
  sms_campaigns: 'status source sender encoding segment_rule',
  sms_messages: 'network status submit supplier',
  sms_parts: 'supplier message_key state',
  sms_receipts: 'supplier message_keys state',
  sms_links: 'supplier state',
  sms_claims: 'supplier',
  sms_windows: 'supplier',
  sms_kept_answers: 'supplier',
  sms_credit_purchases: 'reference',
  sms_drafts: 'sender',
  supplier_statements: 'supplier file_hash',
  statement_lines: 'reference finding why',
  reconciliation_differences: 'supplier kind why reference',
  statement_uploads: 'supplier',
}

/** The columns that may hold personal data by their type, as docs/schema.md has them: `orders.recipient`. */
function readColumns(): string[] {
  const schema = readFileSync(join(root, 'docs', 'schema.md'), 'utf8')
  return schema.split('\n### ').flatMap((section) => {
    const table = /^\w+/.exec(section)?.[0] ?? ''
    return [...section.matchAll(/^\| `(\w+)` \| (?:text|jsonb?|bytea|inet)\b/gm)].map(([, column = '']) => `${table}.${column}`)
  })
}

/** The columns in the table of the guide, where `*` stands for any part of a name. */
function readGuide(): { name: string; pattern: RegExp }[] {
  const guide = readFileSync(join(root, 'docs', 'operating', 'personal-data.md'), 'utf8')
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ')[1] ?? '')
  const names = rows.flatMap((cell) => [...cell.matchAll(/`([\w*]+\.[\w*]+)`/g)].map(([, name = '']) => name))
  return names.map((name) => ({ name, pattern: new RegExp(`^${name.replace('.', '\\.').replaceAll('*', '\\w*')}$`) }))
}

const columns = readColumns()
const guide = readGuide()
const others = Object.entries(withoutPersons).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`))

it('every column of text is in the guide of personal data, or in the list of columns without any', () => {
  expect(columns.length).toBeGreaterThan(300)
  expect(guide.length).toBeGreaterThan(60)
  const known = (column: string) => others.includes(column) || guide.some(({ pattern }) => pattern.test(column))
  expect(columns.filter((column) => !known(column))).toEqual([])
})

it('neither the guide nor the list names a column that does not exist, and none is in both', () => {
  expect(guide.filter(({ pattern }) => !columns.some((column) => pattern.test(column))).map(({ name }) => name)).toEqual([])
  expect(others.filter((column) => !columns.includes(column))).toEqual([])
  expect(others.filter((column) => guide.some(({ pattern }) => pattern.test(column)))).toEqual([])
})
