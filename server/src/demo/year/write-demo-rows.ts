import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { createDemoRows, type DemoRows } from './demo-rows.ts'
import { writeProductRows } from './write-product-rows.ts'

/** How long after its beginning an attempt may still be sent. */
const sendWindowMilliseconds = 10_000

const at = (milliseconds: number) => new Date(milliseconds)
const atOrNull = (milliseconds: number | null) => (milliseconds === null ? null : new Date(milliseconds))

async function writeOrders(tx: Tx, rows: DemoRows): Promise<void> {
  await sql`
    insert into orders ${rowsOf(rows.orders, {
      id: ['uuid', (row) => row.id],
      account_id: ['uuid', (row) => row.accountId],
      kind: ['text', (row) => row.kind],
      reference: ['text', (row) => row.reference],
      status: ['text', (row) => row.status],
      price: ['bigint', (row) => row.price],
      recipient: ['text', (row) => row.recipient],
      source: ['text', (row) => row.source],
      details: ['jsonb', (row) => JSON.stringify(row.details)],
      role: ['text', (row) => row.role],
      created_at: ['timestamptz', (row) => at(row.at)],
      updated_at: ['timestamptz', (row) => at(row.updatedAt)],
    }).forInsert()}`.execute(tx)
  // A real fingerprint is made from the request. Here any text will do, because nobody repeats a request of the demo's past.
  await sql`
    insert into order_references (reference, account_id, order_id, kind, fingerprint)
    select reference, account_id, order_id, kind, sha256(convert_to(reference, 'UTF8'))
    from ${rowsOf(rows.sharedReferences, {
      reference: ['text', (row) => row.reference],
      account_id: ['uuid', (row) => row.accountId],
      order_id: ['uuid', (row) => row.id],
      kind: ['text', (row) => row.kind],
    }).as('taken')}`.execute(tx)
  await sql`
    insert into account_references (account_id, service, reference, order_id, kind, fingerprint)
    select account_id, kind, reference, order_id, kind, sha256(convert_to(reference, 'UTF8'))
    from ${rowsOf(rows.ownReferences, {
      reference: ['text', (row) => row.own],
      account_id: ['uuid', (row) => row.accountId],
      order_id: ['uuid', (row) => row.id],
      kind: ['text', (row) => row.kind],
    }).as('taken')}`.execute(tx)
  await sql`
    insert into open_orders (order_id, route, next_step_at, attempt_id, hold_reason, is_question)
    select order_id, route, coalesce(next_step_at, 'infinity'), attempt_id, hold_reason, attempt_id is not null
    from ${rowsOf(rows.openOrders, {
      order_id: ['uuid', (row) => row.orderId],
      route: ['text', (row) => row.route],
      next_step_at: ['timestamptz', (row) => atOrNull(row.nextStepAt)],
      attempt_id: ['uuid', (row) => row.attemptId],
      hold_reason: ['text', (row) => row.holdReason],
    }).as('open')}`.execute(tx)
}

async function writeHistory(tx: Tx, rows: DemoRows): Promise<void> {
  await sql`
    insert into attempts ${rowsOf(rows.attempts, {
      id: ['uuid', (row) => row.id],
      order_id: ['uuid', (row) => row.orderId],
      attempt_no: ['integer', (row) => row.no],
      supplier: ['text', (row) => row.supplier],
      outgoing_reference: ['text', (row) => row.outgoingReference],
      send_before: ['timestamptz', (row) => at(row.at + sendWindowMilliseconds)],
      created_at: ['timestamptz', (row) => at(row.at)],
      outcome: ['text', (row) => row.outcome],
      supplier_reference: ['text', (row) => row.supplierReference],
      answered_at: ['timestamptz', (row) => atOrNull(row.answeredAt)],
      asks: ['integer', (row) => row.asks],
      expected_cost: ['bigint', (row) => row.expectedCost],
    }).forInsert()}`.execute(tx)
  await sql`
    insert into attempt_answers ${rowsOf(rows.answers, {
      attempt_id: ['uuid', (row) => row.attemptId],
      source: ['text', (row) => row.source],
      answer: ['text', (row) => row.answer],
      evidence: ['text', (row) => row.evidence],
      supplier_reference: ['text', (row) => row.supplierReference],
      reported_cost: ['bigint', (row) => row.reportedCost],
      reported_commission: ['bigint', (row) => row.reportedCommission],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).forInsert()}`.execute(tx)
  await sql`
    insert into order_events ${rowsOf(rows.events, {
      order_id: ['uuid', (row) => row.orderId],
      from_status: ['text', (row) => row.from],
      to_status: ['text', (row) => row.to],
      reason: ['text', (row) => row.reason],
      actor: ['text', (row) => row.actor],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).forInsert()}`.execute(tx)
  await sql`
    insert into contradictions ${rowsOf(rows.contradictions, {
      id: ['uuid', (row) => row.id],
      order_id: ['uuid', (row) => row.orderId],
      attempt_id: ['uuid', (row) => row.attemptId],
      status: ['text', (row) => row.status],
      evidence: ['text', (row) => row.evidence],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).forInsert()}`.execute(tx)
}

async function writeDecisions(tx: Tx, rows: DemoRows): Promise<void> {
  // Proposals are inserted first and decided in a second statement, so that the triggers on a decision run here too.
  await sql`
    insert into approvals (id, kind, key, subject, request, reason, proposed_by, proposed_os_user, created_at, expires_at)
    select id, kind, order_id, reference, request, reason, proposed_by, proposed_by, created_at, created_at + interval '7 days'
    from ${rowsOf(rows.proposals, {
      id: ['uuid', (row) => row.id],
      kind: ['text', (row) => row.kind],
      order_id: ['text', (row) => row.orderId],
      reference: ['text', (row) => row.reference],
      request: ['jsonb', ({ orderId, reference, figures }) => JSON.stringify({ orderId, reference, ...figures })],
      reason: ['text', (row) => row.evidence],
      proposed_by: ['text', (row) => row.proposedBy],
      created_at: ['timestamptz', (row) => at(row.proposedAt)],
    }).as('proposal')}`.execute(tx)
  await sql`
    update approvals set state = 'done', decided_by = word.by, decided_os_user = word.by, decided_at = word.at
    from ${rowsOf(rows.proposals, {
      id: ['uuid', (row) => row.id],
      by: ['text', (row) => row.confirmedBy],
      at: ['timestamptz', (row) => at(row.confirmedAt)],
    }).as('word')}
    where approvals.id = word.id`.execute(tx)
  await sql`
    insert into approvals (id, kind, key, subject, request, reason, before, after, proposed_by, proposed_os_user, created_at,
      expires_at, state, decided_by, decided_os_user, decided_at)
    select id, kind, key, subject, request, reason, before, after, proposed_by, proposed_by, created_at,
      created_at + interval '7 days', state, decided_by, decided_by, decided_at
    from ${rowsOf(rows.approvals, {
      id: ['uuid', (row) => row.id],
      kind: ['text', (row) => row.kind],
      key: ['text', (row) => row.key],
      subject: ['text', (row) => row.subject],
      request: ['jsonb', (row) => JSON.stringify(row.request)],
      reason: ['text', (row) => row.reason],
      before: ['text', (row) => row.before],
      after: ['text', (row) => row.after],
      proposed_by: ['text', (row) => row.proposedBy],
      created_at: ['timestamptz', (row) => at(row.at)],
      state: ['text', (row) => row.state],
      decided_by: ['text', (row) => row.decidedBy],
      decided_at: ['timestamptz', (row) => atOrNull(row.decidedAt)],
    }).as('proposal')}`.execute(tx)
  await sql`
    insert into operator_log (at, actor, action, subject, details, os_user)
    select at, actor, action, subject, details, actor
    from ${rowsOf(rows.log, {
      at: ['timestamptz', (row) => at(row.at)],
      actor: ['text', (row) => row.actor],
      action: ['text', (row) => row.action],
      subject: ['text', (row) => row.subject],
      details: ['jsonb', (row) => JSON.stringify(row.details)],
    }).as('act')}`.execute(tx)
}

async function writeLedger(tx: Tx, rows: DemoRows): Promise<void> {
  await sql`
    insert into transfers ${rowsOf(rows.transfers, {
      cause_id: ['uuid', (row) => row.causeId],
      kind: ['text', (row) => row.kind],
      account_id: ['uuid', (row) => row.accountId],
      from_purse: ['text', (row) => row.fromPurse],
      to_purse: ['text', (row) => row.toPurse],
      amount: ['bigint', (row) => row.amount],
      from_entry_no: ['bigint', (row) => row.fromEntryNo],
      to_entry_no: ['bigint', (row) => row.toEntryNo],
      from_balance_after: ['bigint', (row) => row.fromBalanceAfter],
      to_balance_after: ['bigint', (row) => row.toBalanceAfter],
      note: ['text', (row) => row.note ?? null],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).forInsert()}`.execute(tx)
  await sql`
    insert into order_commissions ${rowsOf(rows.commissions, {
      order_id: ['uuid', (row) => row.orderId],
      account_id: ['uuid', (row) => row.accountId],
      base: ['bigint', (row) => row.base],
      caller: ['bigint', (row) => row.caller],
      platform: ['bigint', (row) => row.platform],
      source: ['text', (row) => row.source],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).forInsert()}`.execute(tx)
  await sql`
    insert into commission_moves (id, account_id, external_id, amount, actor, created_at)
    select id, account_id, external_id, amount, 'kofi', created_at
    from ${rowsOf(rows.commissionMoves, {
      id: ['uuid', (row) => row.id],
      account_id: ['uuid', (row) => row.accountId],
      external_id: ['text', (row) => row.externalId],
      amount: ['bigint', (row) => row.amount],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).as('move')}`.execute(tx)
}

/** Inserts credits and corrections, after the approvals to which they refer. */
async function writeCredits(tx: Tx, rows: DemoRows): Promise<void> {
  await sql`
    insert into wallet_credits (id, account_id, purse, external_id, amount, note, actor, approval_id, one_person_limit, created_at)
    select id, account_id, purse, external_id, amount, note, actor, approval_id, null, created_at
    from ${rowsOf(rows.credits, {
      id: ['uuid', (row) => row.id],
      account_id: ['uuid', (row) => row.accountId],
      purse: ['text', (row) => row.purse],
      external_id: ['text', (row) => row.externalId],
      amount: ['bigint', (row) => row.amount],
      note: ['text', (row) => row.note],
      actor: ['text', (row) => row.actor],
      approval_id: ['uuid', (row) => row.approvalId],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).as('credit')}`.execute(tx)
  await sql`
    insert into wallet_corrections ${rowsOf(rows.corrections, {
      id: ['uuid', (row) => row.id],
      account_id: ['uuid', (row) => row.accountId],
      purse: ['text', (row) => row.purse],
      credit_id: ['uuid', (row) => row.creditId],
      amount: ['bigint', (row) => row.amount],
      reason: ['text', (row) => row.reason],
      actor: ['text', (row) => row.actor],
      created_at: ['timestamptz', (row) => at(row.at)],
    }).forInsert()}`.execute(tx)
}

/** Writes the waiting rows, and empties the lists. */
export async function writeDemoRows(tx: Tx, secretsKeys: SecretsKeys, waiting: DemoRows): Promise<void> {
  const rows = takeRows(waiting)
  await writeOrders(tx, rows)
  await writeHistory(tx, rows)
  await writeDecisions(tx, rows)
  await writeCredits(tx, rows)
  await writeLedger(tx, rows)
  await writeProductRows(tx, secretsKeys, rows)
}

/** Moves all rows into new lists. */
function takeRows(waiting: DemoRows): DemoRows {
  const taken = createDemoRows()
  for (const table of Object.keys(waiting) as (keyof DemoRows)[]) {
    const [from, to]: [unknown[], unknown[]] = [waiting[table], taken[table]]
    for (const row of from) to.push(row)
    from.length = 0
  }
  return taken
}
