import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { faceValueExpectation } from '../money/expected-cost.ts'
import { pesewas } from '../money/pesewas.ts'
import { setUpOrders } from '../orders/intake/set-up-orders.fixture.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { SupplierAnswer } from '../suppliers/ports.ts'
import { assignDifference, closeDifference, DifferenceError } from './explain-difference.ts'
import { listDifferences } from './list-differences.ts'
import { StatementError } from './read-statement.ts'
import { reconcileStatement } from './reconcile-statement.ts'

const desk = setUpOrders()
const dayMilliseconds = 24 * 3_600_000
const period = { from: new Date(Date.now() - dayMilliseconds), to: new Date(Date.now() + dayMilliseconds) }

// Differences of one test must not appear in the next one.
beforeEach(async () => {
  await sql`truncate supplier_statements, statement_lines, reconciliation_differences`.execute(desk.database.ownerDb)
  await sql`update attempts set supplier = 'before' where supplier = 'stub'`.execute(desk.database.ownerDb)
})

async function send(meaning: 'delivered' | 'accepted') {
  await desk.place({ pricePesewas: 2_000 })
  const work = await desk.begin()
  const answer = (said: 'delivered' | 'accepted') => ({ meaning: said, evidence: 'said so' }) as SupplierAnswer
  await desk.settle(await desk.conclude(work, answer(meaning)))
  return {
    reference: work.attempt.outgoingReference,
    deliverLater: (costPesewas: number) =>
      sql`
        with said as (
          insert into attempt_answers (order_id, attempt_no, source, answer, evidence, reported_cost)
          values (${work.attempt.orderId}, ${work.attempt.attemptNo}, 'status', 'delivered', 'at last', ${pesewas(costPesewas)})
        )
        update attempts set outcome = 'delivered' where order_id = ${work.attempt.orderId}`.execute(desk.db),
  }
}

function reconcile(lines: readonly string[], options: { fileName?: string; period?: typeof period | undefined } = {}) {
  const file = Readable.from([['ClientReference,Amount,Status,Date', ...lines].join('\n')])
  return reconcileStatement(desk.db, {
    supplier: 'stub',
    file,
    fileName: options.fileName ?? 'july.csv',
    actor: 'ama',
    expectations: [faceValueExpectation('data')],
    ...('period' in options ? options.period : period),
  })
}

const differences = async () =>
  (await listDifferences(desk.db, { supplier: 'stub', limit: 100 })).map(({ kind, why, reference, closed_by, close_reason }) => ({
    difference: why === null ? kind : `${kind} ${why}`,
    reference,
    closed: closed_by === null ? null : `${closed_by}: ${close_reason}`,
  }))
const findings = async () => {
  const rows = await desk.db.selectFrom('statement_lines').selectAll().orderBy('line_no').execute()
  return rows.map(({ line_no, finding, why }) => [line_no, finding, why])
}

describe('a statement', () => {
  test('is imported with what each of its lines came to', async () => {
    desk.leaveOpen('one order is still at its supplier when the statement comes')
    const [sent, dearer, open] = [await send('delivered'), await send('delivered'), await send('accepted')]
    const result = await reconcile([
      `${sent.reference},20.00,success,`,
      `${dearer.reference},21.00,success,`,
      `${open.reference},20.00,success,`,
      `nobody,20.00,success,`,
      `other,20.00,failed,`,
      `,1,,`,
    ])
    expect(result).toMatchObject({ matched: 1, statement: { isNew: true, fileName: 'july.csv', importedBy: 'ama' } })
    expect(await findings()).toEqual([
      [2, 'matched', null],
      [3, 'amount_differs', null],
      [4, 'theirs_only', 'not_delivered'],
      [5, 'theirs_only', 'unknown_reference'],
      [6, 'not_billed', null],
      [7, 'unreadable', 'has no reference'],
    ])
    expect((await differences()).map(({ difference }) => difference).toSorted()).toEqual([
      'amount_differs',
      'theirs_only not_delivered',
      'theirs_only unknown_reference',
    ])
    const log = await sql<{ details: object }>`
      select details from operator_log where action = 'reconcile' order by id desc limit 1`.execute(desk.db)
    expect(log.rows[0]?.details).toMatchObject({ file: 'july.csv', lines: 6, matched: 1, theirs_only: 2, amount_differs: 1 })
  })

  test('is imported once by its bytes, whatever its name and however many at once, and tells the same each time', async () => {
    const [sent, twice] = [await send('delivered'), await send('delivered')]
    const lines = [
      `${sent.reference},20.00,,`,
      `${twice.reference},20.00,,2026-07-01 10:00`,
      `${twice.reference},20.00,,2026-07-02 10:00`,
    ]
    const results = [
      ...(await Promise.all([reconcile(lines), reconcile(lines)])),
      await reconcile(lines, { fileName: 'copy of july.csv' }),
    ]
    expect(results.filter(({ statement }) => statement.isNew)).toHaveLength(1)
    expect(results.map(({ theirsOnly }) => theirsOnly.map(({ why }) => why))).toEqual([
      ['billed_twice'],
      ['billed_twice'],
      ['billed_twice'],
    ])
    expect(results.map(({ matched }) => matched)).toEqual([2, 2, 2])
    expect(await findings()).toHaveLength(3)
    expect(await differences()).toHaveLength(1)
    expect(await desk.db.selectFrom('supplier_statements').select('file_name').execute()).toEqual([{ file_name: 'july.csv' }])
  })

  test('that breaks off in the middle leaves nothing behind', async () => {
    const broken = reconcile([`nobody,20.00,,`, `"${'x'.repeat(200_000)}`])
    await expect(broken).rejects.toThrow(StatementError)
    expect(await findings()).toEqual([])
    expect(await differences()).toEqual([])
  })
})

describe('next month’s statement', () => {
  test('closes what was ours only last month, when its line comes late', async () => {
    const [billed, late] = [await send('delivered'), await send('delivered')]
    const july = await reconcile([`${billed.reference},20.00,,`])
    expect(july.oursOnly.map(({ outgoingReference }) => outgoingReference)).toEqual([late.reference])
    expect(await differences()).toEqual([{ difference: 'ours_only', reference: late.reference, closed: null }])
    const august = await reconcile([`${late.reference},20.00,,2026-08-01`], { fileName: 'august.csv', period: undefined })
    expect(august).toMatchObject({ matched: 1, oursOnly: [], closedDifferences: 1 })
    expect(await differences()).toEqual([
      { difference: 'ours_only', reference: late.reference, closed: 'statement: billed in august.csv, line 2' },
    ])
    // Last month's file still has no line for it, nor has a corrected file. But another statement bills it, so no
    // difference is open.
    expect((await reconcile([`${billed.reference},20.00,,`])).oursOnly).toHaveLength(1)
    expect((await reconcile([`${billed.reference},20.00,success,`])).oursOnly).toHaveLength(1)
    expect(await listDifferences(desk.db, { supplier: 'stub', isOpen: true, limit: 10 })).toEqual([])
  })

  test('with another amount closes it too, and the amount is a difference of its own', async () => {
    const late = await send('delivered')
    await reconcile(['nobody,1.00,failed,'])
    await reconcile([`${late.reference},25.00,,`], { fileName: 'august.csv' })
    expect(await differences()).toEqual([
      { difference: 'amount_differs', reference: late.reference, closed: null },
      { difference: 'ours_only', reference: late.reference, closed: 'statement: billed in august.csv, line 2' },
    ])
  })

  test('finds that a line was billed before its order was delivered, and closes it where the amount is right', async () => {
    desk.leaveOpen('what their supplier says later is written past the loop')
    const [right, wrong] = [await send('accepted'), await send('accepted')]
    await reconcile([`${right.reference},20.00,,`, `${wrong.reference},20.00,,`])
    await right.deliverLater(2_000)
    await wrong.deliverLater(1_900)
    expect(await reconcile(['nobody,1.00,failed,'], { fileName: 'august.csv' })).toMatchObject({ closedDifferences: 1 })
    expect(await differences()).toEqual(
      expect.arrayContaining([
        {
          difference: 'theirs_only not_delivered',
          reference: right.reference,
          closed: 'statement: delivered since, as billed',
        },
        { difference: 'amount_differs', reference: wrong.reference, closed: null },
      ]),
    )
    expect(await findings()).toEqual(
      expect.arrayContaining([
        [2, 'matched', null],
        [3, 'amount_differs', null],
      ]),
    )
  })

  test('that bills an order of last month again is found, and a line that both months have is not', async () => {
    const [again, overlapping] = [await send('delivered'), await send('delivered')]
    await reconcile([`${again.reference},20.00,,2026-07-30 10:00`, `${overlapping.reference},20.00,,2026-07-31 10:00`])
    const august = await reconcile(
      [`${again.reference},20.00,,2026-08-02 10:00`, `${overlapping.reference},20.00,,2026-07-31 10:00`],
      { fileName: 'august.csv' },
    )
    expect(august.theirsOnly.map(({ line, why }) => [line.reference, why])).toEqual([[again.reference, 'billed_twice']])
    expect(august.matched).toBe(1)
  })

  test('tells a line again that last month’s had, and the difference stands once', async () => {
    await reconcile(['nobody,20.00,,2026-07-31 10:00', 'nobody,20.00,,2026-07-31 10:00'])
    await reconcile(['nobody,20.00,,2026-07-31 10:00', 'somebody,1.00,,2026-08-01 10:00'], { fileName: 'august.csv' })
    expect((await differences()).map(({ reference }) => reference).toSorted()).toEqual(['nobody', 'nobody', 'somebody'])
  })
})

describe('a difference', () => {
  const one = async () => {
    await reconcile(['nobody,20.00,,'])
    const [difference] = await listDifferences(desk.db, { supplier: 'stub', isOpen: true, limit: 10 })
    return difference?.id ?? ''
  }
  const close = (id: string) =>
    inTransaction(desk.db, (tx) => closeDifference(tx, { id, reason: 'their mistake, paid back', by: 'kofi' }))

  test('is given to a person, and closed once with a reason that stays in the log', async () => {
    const id = await one()
    await inTransaction(desk.db, (tx) => assignDifference(tx, { id, to: 'esi', by: 'ama' }))
    expect(await listDifferences(desk.db, { isOpen: true, limit: 10 })).toMatchObject([{ id, assigned_to: 'esi' }])
    await close(id)
    await expect(close(id)).rejects.toThrow(DifferenceError)
    expect(await listDifferences(desk.db, { isOpen: true, limit: 10 })).toEqual([])
    expect(await listDifferences(desk.db, { limit: 10 })).toMatchObject([
      { id, assigned_to: 'esi', closed_by: 'kofi', close_reason: 'their mistake, paid back' },
    ])
    const log = await sql<{ actor: string; action: string; details: object }>`
      select actor, action, details from operator_log where subject = ${id} order by id`.execute(desk.db)
    expect(log.rows).toMatchObject([
      {
        actor: 'ama',
        action: 'reconcile assign',
        details: { before: { assigned_to: null }, after: { assigned_to: 'esi' }, reference: 'nobody' },
      },
      { actor: 'kofi', action: 'reconcile close', details: { reason: 'their mistake, paid back' } },
    ])
  })

  test('that a person closed stays closed when an overlapping statement tells it again', async () => {
    await close(await one())
    await reconcile(['nobody,20.00,,', 'failed-one,1.00,failed,'], { fileName: 'august.csv' })
    expect(await listDifferences(desk.db, { isOpen: true, limit: 10 })).toEqual([])
  })
})
