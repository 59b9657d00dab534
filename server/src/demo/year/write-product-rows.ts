import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { hashVoucher, sealVoucher } from '../../products/results-checker/seal-voucher.ts'
import type { DemoRows } from './demo-rows.ts'

const at = (milliseconds: number) => new Date(milliseconds)
const atOrNull = (milliseconds: number | null) => (milliseconds === null ? null : new Date(milliseconds))

async function writeSms(tx: Tx, rows: DemoRows): Promise<void> {
  await sql`
    insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, credits_refunded, open_count, is_bulk, blocked_by, scheduled_at, created_at,
      expanded_at, settled_at)
    select id, account_id, status, source, sender, message, encoding, segment_rule, segments, string_to_array(recipients, ','),
      recipients_count, credits_charged, credits_refunded, open_count, false, blocked_by, scheduled_at, created_at,
      expanded_at, settled_at
    from ${rowsOf(rows.campaigns, {
      id: ['uuid', (row) => row.id],
      account_id: ['uuid', (row) => row.accountId],
      status: ['text', (row) => row.status],
      source: ['text', (row) => row.source],
      sender: ['text', (row) => row.sender],
      message: ['text', (row) => row.message],
      encoding: ['text', (row) => row.encoding],
      segment_rule: ['text', (row) => row.segmentRule],
      segments: ['integer', (row) => row.segments],
      recipients: ['text', (row) => row.recipients.join(',')],
      recipients_count: ['integer', (row) => row.recipientsCount],
      credits_charged: ['bigint', (row) => row.creditsCharged],
      credits_refunded: ['bigint', (row) => row.creditsRefunded],
      open_count: ['integer', (row) => row.openCount],
      blocked_by: ['text', (row) => row.blockedBy ?? null],
      scheduled_at: ['timestamptz', (row) => atOrNull(row.scheduledAt)],
      created_at: ['timestamptz', (row) => at(row.at)],
      expanded_at: ['timestamptz', (row) => atOrNull(row.expandedAt)],
      settled_at: ['timestamptz', (row) => atOrNull(row.settledAt)],
    }).as('campaign')}`.execute(tx)
  await sql`
    insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier, claimed_at, reason,
      created_at, status_updated_at)
    select campaign_id, n, recipient, network, false, status, submit, 'smsc', created_at, reason, created_at, status_updated_at
    from ${rowsOf(rows.messages, {
      campaign_id: ['uuid', (row) => row.campaignId],
      n: ['integer', (row) => row.n],
      recipient: ['text', (row) => row.recipient],
      network: ['text', (row) => row.network],
      status: ['text', (row) => row.status],
      submit: ['text', (row) => row.submit],
      reason: ['text', (row) => row.reason],
      created_at: ['timestamptz', (row) => at(row.at)],
      status_updated_at: ['timestamptz', (row) => at(row.statusAt)],
    }).as('message')}`.execute(tx)
}

async function writeApplications(tx: Tx, rows: DemoRows): Promise<void> {
  await sql`
    insert into afa_registrations ${rowsOf(rows.afa, {
      order_id: ['uuid', (row) => row.orderId],
      identity: ['text', (row) => row.identity],
      claimed_by: ['text', (row) => row.claimedBy],
      claimed_at: ['timestamptz', (row) => atOrNull(row.claimedAt)],
      purged_at: ['timestamptz', (row) => atOrNull(row.purgedAt)],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).forInsert()}`.execute(tx)
}

async function writeVouchers(tx: Tx, secretsKeys: SecretsKeys, rows: DemoRows): Promise<void> {
  const sealed = rows.vouchers.map((row) => ({
    row,
    secrets: sealVoucher(secretsKeys, row.id, row),
    hashes: hashVoucher(secretsKeys, row),
  }))
  await sql`
    insert into vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash, order_id, imported_at, sold_at)
    select id, type_id, pin, decode(pin_hash, 'hex'), serial_number, decode(serial_number_hash, 'hex'), order_id, imported_at,
      sold_at
    from ${rowsOf(sealed, {
      id: ['uuid', ({ row }) => row.id],
      type_id: ['uuid', ({ row }) => row.typeId],
      pin: ['text', ({ secrets }) => secrets.pin],
      pin_hash: ['text', ({ hashes }) => hashes.pins[0] ?? null],
      serial_number: ['text', ({ secrets }) => secrets.serialNumber],
      serial_number_hash: ['text', ({ hashes }) => hashes.serialNumbers[0] ?? null],
      order_id: ['uuid', ({ row }) => row.orderId],
      imported_at: ['timestamptz', ({ row }) => at(row.importedAt)],
      sold_at: ['timestamptz', ({ row }) => at(row.soldAt)],
    }).as('sold')}`.execute(tx)
}

/** Writes the rows of products beside their orders. */
export async function writeProductRows(tx: Tx, secretsKeys: SecretsKeys, rows: DemoRows): Promise<void> {
  await writeSms(tx, rows)
  await writeApplications(tx, rows)
  await writeVouchers(tx, secretsKeys, rows)
}
