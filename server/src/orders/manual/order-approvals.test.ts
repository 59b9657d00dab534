import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { personNamed } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { confirmApproval, refuseApproval } from '../../platform/approvals/decide-approval.ts'
import { listApprovals } from '../../platform/approvals/list-approvals.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { products } from '../../products/products.ts'
import { balanceOf, statusOf } from '../dispatch/order-bench.fixture.ts'
import { setUpOrders, usualFundsPesewas, usualPricePesewas } from '../intake/set-up-orders.fixture.ts'
import { readOrderHistory } from '../queries/read-order-history.ts'
import { settleByPeople } from './settle-by-people.ts'

const desk = setUpOrders()

const settle = (orderId: string, by: string, outcome: 'completed' | 'failed' = 'failed') =>
  settleByPeople(desk.db, products, { orderId, outcome, evidence: `${by} asked`, person: personNamed(by) })
const confirm = (approvalId: string, by: string) =>
  inTransaction(desk.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person: personNamed(by) }))

async function propose() {
  const { orderId } = await desk.place()
  const result = await settle(orderId, 'ama')
  if (result.state !== 'proposed') throw new Error('it was not proposed')
  return { orderId, approvalId: result.approvalId }
}

describe('what two people decide about an order', () => {
  test('waits in the queue with what it would change, and is confirmed there by somebody else, once', async () => {
    const { orderId, approvalId } = await propose()
    const [waiting] = await listApprovals(desk.db, { which: 'pending', limit: 1 })
    expect(waiting).toMatchObject({
      id: approvalId,
      kind: 'order settle',
      reason: 'ama asked',
      before: 'pending',
      after: 'refunded, GHS 5.00 back',
      proposed_by: 'ama',
    })
    await expect(confirm(approvalId, 'AMA')).rejects.toThrow('a second person confirms')
    expect(await confirm(approvalId, 'kofi')).toMatchObject({
      kind: 'order settle',
      change: { after: 'refunded, GHS 5.00 back' },
    })
    expect(await statusOf(desk.db, orderId)).toBe('refunded')
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
    await expect(confirm(approvalId, 'esi')).rejects.toThrow('was confirmed by kofi already')
    await mustPassAudit(desk.db)
  })

  test('ends after 7 days; then it cannot be confirmed, is shown as expired, and may be proposed anew', async () => {
    desk.leaveOpen('what is proposed about it is not confirmed')
    const { orderId, approvalId } = await propose()
    await desk.database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table approvals disable trigger user`.execute(tx)
      await sql`update approvals set expires_at = now() where id = ${approvalId} and expires_at = created_at + interval '7 days'`.execute(
        tx,
      )
      await sql`alter table approvals enable trigger user`.execute(tx)
    })
    await expect(confirm(approvalId, 'kofi')).rejects.toThrow('expired already')
    expect(await settle(orderId, 'kofi')).toMatchObject({ state: 'proposed' })
    const states = (await readOrderHistory(desk.db, products, orderId))?.proposals.map(({ state, proposedBy }) => [
      state,
      proposedBy,
    ])
    expect(states).toEqual([
      ['expired', 'ama'],
      ['pending', 'kofi'],
    ])
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas - usualPricePesewas)
  })

  test('is refused in the queue, and weighed again when it is confirmed', async () => {
    desk.leaveOpen('what is proposed about it is not confirmed')
    const { approvalId } = await propose()
    await inTransaction(desk.db, (tx) => refuseApproval(tx, { approvalId, person: personNamed('kofi'), note: 'ask again' }))
    await expect(confirm(approvalId, 'esi')).rejects.toThrow('was refused by kofi already')
    const late = await propose()
    await sql`update open_orders set lease_until = now() + interval '1 minute' where order_id = ${late.orderId}`.execute(desk.db)
    await expect(confirm(late.approvalId, 'kofi')).rejects.toThrow('A worker is speaking with the supplier')
  })

  test('is listed a page at a time, newest first', async () => {
    desk.leaveOpen('what is proposed about it is not confirmed')
    for (let no = 0; no < 4; no += 1) await propose()
    const all = await listApprovals(desk.db, { which: 'all', limit: 100 })
    const first = await listApprovals(desk.db, { which: 'all', limit: 3 })
    const rest = await listApprovals(desk.db, { which: 'all', limit: 100, after: first.at(-1)?.id })
    expect([...first, ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(all.length).toBeGreaterThanOrEqual(4)
  })
})
