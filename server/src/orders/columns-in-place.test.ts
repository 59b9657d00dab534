import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pesewas } from '../money/pesewas.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import type { Attempt } from './attempt.ts'
import { beginAttempts, sendWindowSeconds } from './dispatch/begin-attempts.ts'
import { makeAccount } from './dispatch/order-bench.fixture.ts'
import { recordCallbacks } from './evidence/record-callbacks.ts'
import { openBatch } from './intake/exact/open-batch.ts'
import { writeBatch } from './intake/remembered/remembered-facts.ts'
import { setUpOrders, usualFundsPesewas } from './intake/set-up-orders.fixture.ts'
import type { Decision } from './next-step.ts'
import { packEvidence } from './packed-evidence.ts'
import { type ClaimedOrder, claimOpenOrders, leaseSeconds } from './schedule/claim-open-orders.ts'
import type { AnswerDetails } from './settlement/settle-attempts.ts'
import { settleAttempts } from './settlement/settle-attempts.ts'

/*
 * The functions of the schema take their rows as columns. In each test all values that are written differ, so that any two
 * swapped columns, on the way to the function or inside it, come out in the wrong place.
 */

const desk = setUpOrders()

/** The first row of a query, as it is stored. */
async function rowOf(query: ReturnType<typeof sql>, db = desk.db): Promise<Record<string, unknown>> {
  const { rows } = await query.execute(db)
  return rows[0] as Record<string, unknown>
}

function mustAllDiffer(values: readonly unknown[]): void {
  expect(new Set(values).size).toBe(values.length)
}

test('write_batch puts each value of an order into its column', async () => {
  desk.leaveOpen('only its rows are looked at')
  const { db, accountId } = desk
  const before = { balance: usualFundsPesewas, lastEntryNo: 1 }
  const [price, laterPrice] = [101, 203]
  const written = {
    id: newId(),
    kind: 'data',
    reference: 'the-reference',
    status: 'pending' as const,
    recipient: 'the recipient',
    source: 'the source',
    details: { the: 'details' },
    price,
  }
  const { id, kind, reference, status, recipient, source, details } = written
  const [fingerprint, route, role] = ['ab'.repeat(32), 'stub/data/MTN', 'dealer'] as const
  mustAllDiffer([id, accountId, kind, reference, status, recipient, source, JSON.stringify(details), fingerprint, route, role])
  const newOrderOf = (order: typeof written, fromEntryNo: number, fromBalanceAfter: number) => ({
    item: { orderId: order.id, accountId, kind, reference: order.reference, fingerprint, request: undefined },
    order: { ...order, accountId, createdAt: new Date(0), updatedAt: new Date(0) },
    route,
    role,
    debit: {
      causeId: order.id,
      kind: 'purchase' as const,
      accountId,
      fromPurse: 'main' as const,
      toPurse: 'sales' as const,
      amount: order.price,
      fromEntryNo,
      toEntryNo: null,
      fromBalanceAfter,
      toBalanceAfter: null,
    },
  })
  const later = { ...written, id: newId(), reference: 'the-later-reference', price: laterPrice }
  const after = { balance: before.balance - price - laterPrice, lastEntryNo: 3 }
  const [entryNo, balanceAfter] = [2, before.balance - price]
  mustAllDiffer([price, entryNo, balanceAfter, after.balance, after.lastEntryNo, before.balance, before.lastEntryNo])
  const epoch = await rowOf(sql`
    select pg_postmaster_start_time()::text as server, epoch, catalogue_version as "catalogueVersion" from cache_epoch`)
  const { isCurrent } = await writeBatch(db, {
    epoch: epoch as { server: string; epoch: number; catalogueVersion: number },
    rolesHoldUntil: null,
    wallets: [{ accountId, before, after }],
    newOrders: [newOrderOf(written, entryNo, balanceAfter), newOrderOf(later, after.lastEntryNo, after.balance)],
    refused: [],
  })
  expect(isCurrent).toBe(true)
  expect(await rowOf(sql`select * from orders where id = ${id}`)).toMatchObject({
    ...written,
    account_id: accountId,
    role,
  })
  expect(
    await rowOf(sql`select *, encode(fingerprint, 'hex') as hex from order_references where order_id = ${id}`),
  ).toMatchObject({
    account_id: accountId,
    kind,
    reference,
    hex: fingerprint,
  })
  expect(await rowOf(sql`select *, next_step_at <= now() as is_due from open_orders where order_id = ${id}`)).toMatchObject({
    route,
    is_due: true,
    hold_reason: null,
  })
  expect(await rowOf(sql`select * from transfers where cause_id = ${id}`)).toMatchObject({
    account_id: accountId,
    amount: price,
    from_entry_no: entryNo,
    from_balance_after: balanceAfter,
  })
  expect(await rowOf(sql`select * from wallets where account_id = ${accountId} and purse = 'main'`)).toMatchObject({
    balance: after.balance,
    last_entry_no: after.lastEntryNo,
  })
})

test('open_batch_skipping_locked finds each value of a wallet, an account and a reference in its column', async () => {
  const { db, accountId } = desk
  const otherAccountId = await makeAccount(db, 5_000)
  const item = { orderId: newId(), accountId, kind: 'data', reference: 'the-shared-reference', fingerprint: 'cd'.repeat(32) }
  const again = { ...item, orderId: newId(), accountId: otherAccountId, kind: 'airtime', fingerprint: 'ef'.repeat(32) }
  const [ownValues, valuesAgain] = [Object.values(item), Object.values(again)]
  expect(new Set([...ownValues, ...valuesAgain]).size).toBe(2 * ownValues.length - 1)
  const open = (tx: Tx, { ...wanted }: typeof item) =>
    openBatch(tx, [{ accountId, purse: 'main' }], [accountId, otherAccountId], [{ ...wanted, request: undefined }])
  const rolledBack = new Error('no order holds this reference')
  const work = inTransaction(db, async (tx) => {
    const opened = await open(tx, item)
    expect([...opened.wallets]).toEqual([[`${accountId}/main`, { balance: usualFundsPesewas, lastEntryNo: 1 }]])
    const facts = { isSuspended: false, isPermanent: true, pricingRole: 'agent' }
    expect(Object.fromEntries(opened.accounts)).toEqual({ [accountId]: facts, [otherAccountId]: facts })
    expect([...opened.reserved.keys()]).toEqual([item.reference])
    const reserved = sql`select *, encode(fingerprint, 'hex') as hex from order_references where reference = ${item.reference}`
    expect(await rowOf(reserved, tx)).toMatchObject({
      account_id: accountId,
      order_id: item.orderId,
      kind: item.kind,
      hex: item.fingerprint,
    })
    expect((await open(tx, again)).taken).toEqual([item])
    throw rolledBack
  })
  await expect(work).rejects.toBe(rolledBack)
})

/** Claims orders until the numbers of their leases differ from those of their first attempts. */
async function claimThrice(count: number): Promise<ClaimedOrder[]> {
  await desk.placeMany(count)
  for (let claims = 1; claims < 3; claims += 1) {
    await claimOpenOrders(desk.db, 'stub/data/MTN', count)
    await desk.endLeases()
  }
  return claimOpenOrders(desk.db, 'stub/data/MTN', count)
}

// When a lease was lost, the function cuts its columns to the other orders, so both cases are tested.
test.each([false, true])(
  'begin_attempts puts each value of an attempt into its column (a lease was lost: %s)',
  async (isLost) => {
    desk.leaveOpen('their attempts are looked at')
    const claims = await claimThrice(3)
    const [lost, ...others] = claims
    if (isLost) await sql`update open_orders set lease_no = lease_no + 1 where order_id = ${lost?.order.id}`.execute(desk.db)
    const costs = new Map(claims.map(({ order }, index) => [order.id, pesewas(307 + 100 * index)]))
    const begun = await beginAttempts(desk.db, 'the supplier', claims, costs)
    const held = isLost ? others : claims
    expect([...begun.keys()].toSorted()).toEqual(held.map(({ order }) => order.id).toSorted())
    for (const { order, leaseNo } of held) {
      const { outgoingReference, attemptNo } = begun.get(order.id) as Attempt
      mustAllDiffer([order.id, outgoingReference, attemptNo, leaseNo, costs.get(order.id), sendWindowSeconds, leaseSeconds])
      const found = await rowOf(sql`
      select attempts.*, extract(epoch from send_before - created_at)::float8 as send_seconds, open_orders.attempt_no as open_attempt_no,
        open_orders.lease_no, extract(epoch from lease_until - created_at)::float8 as lease_seconds
      from attempts join open_orders using (order_id) where order_id = ${order.id}`)
      expect(found).toMatchObject({
        attempt_no: attemptNo,
        supplier: 'the supplier',
        outgoing_reference: outgoingReference,
        expected_cost: costs.get(order.id),
        send_seconds: sendWindowSeconds,
        open_attempt_no: attemptNo,
        lease_no: leaseNo,
        lease_seconds: leaseSeconds,
      })
    }
  },
)

/** The answer to an attempt that was begun, with a value of its own in each field. */
const spoken = {
  source: 'status',
  evidence: 'HTTP 200 {"status":"success","data":{"ref":"the evidence, which is packed"}}',
  supplierReference: 'the supplier’s reference',
  reportedCostPesewas: pesewas(407),
  reportedCommissionPesewas: pesewas(31),
  accountName: 'the holder',
} satisfies AnswerDetails

async function settleAs(decision: Decision) {
  await desk.place()
  await sql`update open_orders set lease_no = 100`.execute(desk.db)
  const work = await desk.begin()
  const settlement = await desk.conclude(work, { meaning: 'unknown', evidence: 'it is unknown' })
  const { attempt, leaseNo } = settlement
  const asked = { ...settlement, spoken, decision, actor: 'the actor' }
  const { outcome, recordedAnswer } = decision
  mustAllDiffer([attempt.attemptNo, attempt.orderId, outcome, recordedAnswer, 'the actor', ...Object.values(spoken), leaseNo])
  expect((await settleAttempts(desk.db, [asked], true)).settled).toHaveLength(1)
  expect(await rowOf(sql`select * from attempt_answers where order_id = ${attempt.orderId}`)).toMatchObject({
    attempt_no: attempt.attemptNo,
    source: spoken.source,
    answer: recordedAnswer,
    evidence: packEvidence(spoken.evidence),
    supplier_reference: spoken.supplierReference,
    reported_cost: spoken.reportedCostPesewas,
    reported_commission: spoken.reportedCommissionPesewas,
    account_name: spoken.accountName,
  })
  expect(
    await rowOf(sql`select * from attempts where order_id = ${attempt.orderId} and attempt_no = ${attempt.attemptNo}`),
  ).toMatchObject({
    order_id: attempt.orderId,
    outcome,
    supplier_reference: spoken.supplierReference,
    asks: 1,
  })
  return { orderId: attempt.orderId, leaseNo }
}

test('settle_attempts puts each value of an answer and of a next step into its column', async () => {
  desk.leaveOpen('its next step is looked at')
  const step = { do: 'send_elsewhere_later', route: 'other/data/MTN', afterSeconds: 7_000, holdReason: 'throttled' } as const
  const { orderId, leaseNo } = await settleAs({ step, outcome: 'unreachable', recordedAnswer: 'unknown' })
  const open = await rowOf(sql`
    select *, extract(epoch from next_step_at - clock_timestamp())::float8 as seconds from open_orders where order_id = ${orderId}`)
  expect(open).toMatchObject({
    route: step.route,
    hold_reason: step.holdReason,
    attempt_no: null,
    our_mistake_since: null,
    lease_no: leaseNo + 1,
  })
  expect(open['seconds']).toBeGreaterThan(step.afterSeconds - 1_000)
  expect(open['seconds']).toBeLessThanOrEqual(step.afterSeconds)
})

test('settle_attempts puts each value of an end into its column', async () => {
  const { orderId } = await settleAs({ step: { do: 'complete' }, outcome: 'delivered', recordedAnswer: 'accepted' })
  expect(await rowOf(sql`select * from orders where id = ${orderId}`)).toMatchObject({ status: 'completed' })
  expect(await rowOf(sql`select * from order_events where order_id = ${orderId} order by event_no desc limit 1`)).toMatchObject({
    from_status: 'processing',
    to_status: 'completed',
    reason: 'delivered',
    actor: 'the actor',
  })
})

test("a supplier's reference that the attempt has already is not stored again with its next answers", async () => {
  const { db } = desk
  await desk.place()
  const work = await desk.begin()
  const said = { evidence: 'it is on the way', supplierReference: 'DM-1' }
  const sent = await desk.conclude(work, { meaning: 'accepted', ...said })
  await desk.settle(sent)
  const attempt = { ...sent.attempt, supplierReference: 'DM-1' }
  const { orderId, supplier, outgoingReference } = attempt
  await recordCallbacks(db, [{ supplier, outgoingReference, answer: { meaning: 'delivered', ...said } }])
  const { lease_no: leaseNo } = await rowOf(sql`select lease_no from open_orders where order_id = ${orderId}`)
  const decision: Decision = { step: { do: 'complete' }, outcome: 'delivered', recordedAnswer: 'delivered' }
  const asked = { ...sent, attempt, decision, leaseNo: Number(leaseNo), spoken: { ...sent.spoken, source: 'status' as const } }
  await settleAttempts(db, [asked], true)
  const { rows } = await sql`
    select source, attempt_answers.supplier_reference as with_answer, attempts.supplier_reference as with_attempt
    from attempt_answers join attempts using (order_id, attempt_no) where order_id = ${orderId} order by answer_no`.execute(db)
  expect(rows).toEqual([
    { source: 'send', with_answer: 'DM-1', with_attempt: 'DM-1' },
    { source: 'callback', with_answer: null, with_attempt: 'DM-1' },
    { source: 'status', with_answer: null, with_attempt: 'DM-1' },
  ])
})

test('note_callbacks puts each value of a callback into its column, and gives back each value of the end that it denies', async () => {
  const { db } = desk
  const { reference } = await desk.place()
  const work = await desk.begin()
  const { attempt } = work
  await desk.settle(await desk.conclude(work, { meaning: 'failed', evidence: 'it failed' }))
  const { source: _source, ...details } = spoken
  mustAllDiffer([
    ...Object.values(details),
    attempt.attemptNo,
    attempt.orderId,
    attempt.supplier,
    attempt.outgoingReference,
    reference,
  ])
  const callback = { supplier: attempt.supplier, answer: { meaning: 'delivered', ...details } as const }
  const outcomes = await recordCallbacks(db, [
    { ...callback, outgoingReference: 'another reference' },
    { ...callback, outgoingReference: attempt.outgoingReference },
  ])
  expect(outcomes).toEqual(['unknown_reference', 'noted'])
  const answers = sql`select * from attempt_answers where order_id = ${attempt.orderId} and attempt_no = ${attempt.attemptNo} and source = 'callback'`
  expect(await rowOf(answers)).toMatchObject({
    answer: 'delivered',
    evidence: packEvidence(details.evidence),
    supplier_reference: details.supplierReference,
    reported_cost: details.reportedCostPesewas,
    reported_commission: details.reportedCommissionPesewas,
    account_name: details.accountName,
  })
  expect(await rowOf(sql`select * from contradictions where order_id = ${attempt.orderId}`)).toMatchObject({
    attempt_no: attempt.attemptNo,
    status: 'refunded',
    evidence: `a callback of ${attempt.supplier} says delivered: ${details.evidence}`,
  })
  expect(await rowOf(sql`select * from alarms where subject = ${reference}`)).toMatchObject({
    name: 'contradiction',
    message: `Order ${reference} is refunded, but a callback of ${attempt.supplier} says delivered.`,
  })
})
