import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type CostExpectation, faceValueExpectation } from '../money/expected-cost.ts'
import { pesewas } from '../money/pesewas.ts'
import { setUpOrders } from '../orders/intake/set-up-orders.fixture.ts'
import type { SupplierAnswer } from '../suppliers/ports.ts'
import { countOpenDifferences, listDifferences } from './list-differences.ts'
import { reconcileStatement } from './reconcile-statement.ts'

const price = 2_000
const commission = { rateBasisPoints: 300, shareBasisPoints: 5_000 }
const expectations: CostExpectation[] = [faceValueExpectation('data')]
const desk = setUpOrders()

type Sent = { readonly reference: string; readonly orderReference: string }

/** Makes an order and records this answer of the supplier. */
async function send(meaning: 'delivered' | 'failed' | 'accepted', reported: Partial<SupplierAnswer> = {}): Promise<Sent> {
  const order = await desk.place({ pricePesewas: price, details: { commission } })
  const work = await desk.begin()
  await desk.settle(await desk.conclude(work, { meaning, evidence: 'said so', ...reported } as SupplierAnswer))
  return { reference: work.attempt.outgoingReference, orderReference: order.reference }
}

function reconcile(lines: readonly string[], period: { from?: Date; to?: Date } = {}) {
  const file = Readable.from([['ClientReference,Amount,Commission,Status', ...lines].join('\n')])
  return reconcileStatement(desk.db, { supplier: 'stub', file, fileName: 'stub.csv', actor: 'test', expectations, ...period })
}

describe('a supplier’s statement beside our orders', () => {
  test('is split into matched, ours only, theirs only and those whose amount differs', async () => {
    desk.leaveOpen('one order is still at its supplier when the statement comes')
    const first = await send('delivered')
    const missing = await send('delivered')
    const reported = await send('delivered', {
      reportedCostPesewas: pesewas(1_950),
      reportedCommissionPesewas: pesewas(71),
    })
    const dearer = await send('delivered')
    const otherCommission = await send('delivered')
    const failed = await send('failed')
    const twice = await send('delivered')
    const last = await send('delivered')
    // Placed last, because a question that is due would be claimed before the orders that are to be sent.
    const open = await send('accepted')
    const result = await reconcile([
      `${first.reference},20.00,0.60,success`,
      `${reported.reference},19.50,0.71,success`,
      `${dearer.reference},20.01,0.60,success`,
      `${otherCommission.reference},20.00,0.59,success`,
      `${failed.reference},20.00,0.60,success`,
      `${open.reference},20.00,0.60,success`,
      `${twice.reference},20.00,,success`,
      `${twice.reference},20.00,,success`,
      `somebody-else,20.00,,success`,
      `nobody,20.00,,failed`,
      `${last.reference},20.00,0.60,`,
      `,1,,`,
    ])
    expect(result).toMatchObject({ supplier: 'stub', lines: 12, matched: 4 })
    expect(result.oursOnly.map((ours) => ours.outgoingReference)).toEqual([missing.reference])
    expect(result.theirsOnly.map(({ line, why, ours }) => [line.reference, why, ours?.orderStatus])).toEqual([
      [failed.reference, 'not_delivered', 'refunded'],
      [open.reference, 'not_delivered', 'processing'],
      [twice.reference, 'billed_twice', 'completed'],
      ['somebody-else', 'unknown_reference', undefined],
    ])
    expect(result.amountDiffers.map(({ line, ours }) => [line.reference, line.amountPesewas, ours.expectedCostPesewas])).toEqual([
      [dearer.reference, 2_001, 2_000],
      [otherCommission.reference, 2_000, 2_000],
    ])
    expect(result.amountDiffers[1]?.ours).toMatchObject({ expectedCommissionPesewas: 60, earnedCommissionPesewas: 60 })
    expect(result.problems).toEqual([{ line: 13, message: 'has no reference' }])
  })

  test('comes to what the supplier charges too much, whatever the order cost', async () => {
    const since = new Date()
    const failed = await send('failed')
    const twice = await send('delivered')
    const dearer = await send('delivered')
    const cheaper = await send('delivered')
    const lessCommission = await send('delivered')
    const missing = await send('delivered')
    const lines = [
      `${failed.reference},7.00,,success`,
      `${twice.reference},20.00,,success`,
      `${twice.reference},20.00,,success`,
      `stranger,3.10,,success`,
      `${dearer.reference},20.01,0.60,success`,
      `${cheaper.reference},19.50,0.60,success`,
      `${lessCommission.reference},20.00,0.45,success`,
    ]
    const { statement } = await reconcile(lines, { from: since, to: new Date(Date.now() + 60_000) })
    const found = await listDifferences(desk.db, { statementId: statement.id, limit: 100 })
    const byReference = Object.fromEntries(found.map((row) => [row.reference, row.amount_by]))
    expect(byReference).toEqual({
      [failed.reference]: 700,
      [twice.reference]: 2_000,
      stranger: 310,
      [dearer.reference]: 1,
      [cheaper.reference]: -50,
      [lessCommission.reference]: 15,
      [missing.reference]: -2_000,
    })
    const sums = Object.groupBy(await countOpenDifferences(desk.db), ({ kind }) => kind)
    const all = await listDifferences(desk.db, { isOpen: true, limit: 1_000 })
    for (const kind of ['ours_only', 'theirs_only', 'amount_differs'] as const) {
      const own = all.filter((row) => row.kind === kind && row.supplier === 'stub')
      const sum = sums[kind]?.find(({ supplier }) => supplier === 'stub')
      expect([kind, sum?.amount_by]).toEqual([kind, own.reduce((total, row) => total + (row.amount_by ?? 0), 0)])
    }
  })

  test('is refused whole, and nothing of it kept, when none of its lines can be read', async () => {
    const count = () => desk.db.selectFrom('supplier_statements').selectAll().execute()
    const before = await count()
    await expect(reconcile(['abc,-59.00,,', 'def,5.709,,'])).rejects.toThrow(
      'None of the file’s lines can be read (2). Line 2 has no amount of a charge: "-59.00" is below zero.',
    )
    expect(await count()).toEqual(before)
  })

  test('looks for our orders only in the time that the statement covers', async () => {
    await send('delivered')
    const seen = await send('delivered')
    await send('delivered')
    const result = await reconcile([`${seen.reference},20.00,,`])
    expect(result).toMatchObject({ matched: 1, oursOnly: [] })
    const day = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) }
    expect((await reconcile([`${seen.reference},20.00,,`], day)).oursOnly.length).toBeGreaterThanOrEqual(2)
  })

  test('counts a line that the statement calls failed as not billed, so that a delivered order is ours only', async () => {
    const before = new Date()
    const sent = await send('delivered')
    const period = { from: before, to: new Date(Date.now() + 60_000) }
    const result = await reconcile([`${sent.reference},20.00,,failed`], period)
    expect(result.oursOnly.map((ours) => ours.orderReference)).toEqual([sent.orderReference])
  })

  test('knows our reference in capitals, as a supplier that ignores case may print it', async () => {
    const since = new Date()
    const sent = await send('delivered')
    const capitals = sent.reference.toUpperCase()
    const period = { from: since, to: new Date(Date.now() + 60_000) }
    const lines = [`${capitals},20.00,0.60,success`, `${sent.reference},20.00,0.60,success`]
    const result = await reconcile(lines, period)
    expect(result).toMatchObject({ matched: 1, oursOnly: [], theirsOnly: [{ why: 'billed_twice' }] })
  })

  test('has nothing of another supplier in it', async () => {
    const sent = await send('delivered')
    const file = Readable.from([`reference,amount\n${sent.reference},20\n`])
    const result = await reconcileStatement(desk.db, {
      supplier: 'other',
      file,
      fileName: 'other.csv',
      actor: 'test',
      expectations,
    })
    expect(result).toMatchObject({ matched: 0, oursOnly: [], theirsOnly: [{ why: 'unknown_reference' }] })
  })
})
