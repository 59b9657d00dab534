import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allAuditChecks, openAuditBook } from '../all-audit-checks.ts'
import type { Db } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { runAudit } from './audit.ts'
import { creditWallet } from './credit-wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

class Undo extends Error {}

/** The rules that are broken, also when the books are gone through in small pieces. */
async function findingsOfAudit(db: Db): Promise<string[]> {
  const broken: string[][] = []
  for (const rowsPerPiece of [2, 5_000]) {
    const { checks } = await runAudit(db, allAuditChecks, { isFull: true, rowsPerPiece })
    broken.push(Object.keys(checks).filter((name) => checks[name] !== 0))
  }
  expect(broken[0]).toEqual(broken[1])
  return broken[0] ?? []
}

/** Damages rows as the tables' owner, runs the full audit, and repairs the rows. */
async function findingsAfter(...damage: ReturnType<typeof sql>[]): Promise<string[]> {
  let findings: string[] = []
  await database.ownerDb
    .transaction()
    .execute(async (tx) => {
      for (const step of damage) await step.execute(tx)
      findings = await findingsOfAudit(tx)
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return findings
}

/** An order with its debit, as the intake writes them. */
function order(accountId: string, orderId: string, status: string, price = 100) {
  return [
    sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details)
      values (${orderId}, ${accountId}, 'data', ${orderId}, ${status}, ${price}, '0240000000', '{}')`,
    sql`insert into order_references values (${orderId}, ${accountId}, ${orderId}, 'data', '\\x00')`,
    sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after)
      select ${orderId}, 'purchase', account_id, 'main', 'sales', ${price}, last_entry_no + 1, balance - ${price}
      from wallets where account_id = ${accountId} and purse = 'main'`,
    sql`update wallets set balance = balance - ${price}, last_entry_no = last_entry_no + 1
      where account_id = ${accountId} and purse = 'main'`,
  ]
}

function refund(accountId: string, orderId: string, amount = 100) {
  return [
    sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after)
      select ${orderId}, 'refund', account_id, 'sales', 'main', ${amount}, last_entry_no + 1, balance + ${amount}
      from wallets where account_id = ${accountId} and purse = 'main'`,
    sql`update wallets set balance = balance + ${amount}, last_entry_no = last_entry_no + 1
      where account_id = ${accountId} and purse = 'main'`,
  ]
}

const open = (orderId: string) => sql`insert into open_orders (order_id, route) values (${orderId}, 'datamart/data/MTN')`
const attempt = (orderId: string, attemptNo: number, outcome: string | null) =>
  sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome)
    values (${orderId}, ${attemptNo}, 'datamart', ${newId()}, now(), ${outcome})`

describe('the audit', () => {
  it('finds nothing in honest books', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000 })
    const [a, b, c] = [newId(), newId(), newId()]
    const honest = [
      ...order(accountId, a, 'pending'),
      open(a),
      ...order(accountId, b, 'completed'),
      attempt(b, 1, 'rejected_platform'),
      attempt(b, 2, 'delivered'),
      ...order(accountId, c, 'refunded'),
      attempt(c, 1, 'failed'),
      ...refund(accountId, c),
    ]
    expect(await findingsAfter(...honest)).toEqual([])
  })

  it('finds a number that two entries in the partitions of two months have, where all sums are right', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000 })
    const [now, lastMonth] = [newId(), firstIdAt(new Date().setUTCDate(0))]
    const wallet = sql`account_id = ${accountId} and purse = 'main'`
    const both = [
      ...order(accountId, now, 'pending'),
      open(now),
      ...order(accountId, lastMonth, 'pending'),
      open(lastMonth),
      sql`alter table transfers disable trigger user`,
    ]
    expect(await findingsAfter(...both)).toEqual([])
    const repeated = [
      sql`update transfers set from_entry_no = from_entry_no - 1 where cause_id = ${lastMonth}`,
      sql`update wallets set last_entry_no = last_entry_no - 1 where ${wallet}`,
    ]
    expect(await findingsAfter(...both, ...repeated)).toContain('gap_in_entry_numbers')
  })

  it('names each rule that a damaged row breaks', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000 })
    const id = newId()
    const placed = [...order(accountId, id, 'pending'), open(id)]
    const wallet = sql`account_id = ${accountId} and purse = 'main'`
    const past = sql`alter table transfers disable trigger user`
    const cases: [string, ReturnType<typeof sql>[]][] = [
      ['wallet_differs_from_its_transfers', [sql`update wallets set balance = balance + 1 where ${wallet}`]],
      ['gap_in_entry_numbers', [sql`update wallets set last_entry_no = last_entry_no + 1 where ${wallet}`]],
      [
        'balance_after_does_not_follow',
        [...placed, past, sql`update transfers set from_balance_after = 7 where cause_id = ${id}`],
      ],
      ['transfer_without_wallet', [sql`delete from wallets where ${wallet}`]],
      [
        'credit_without_its_transfer',
        [
          sql`alter table wallet_credits disable trigger user`,
          sql`update wallet_credits set amount = amount + 1 where account_id = ${accountId}`,
        ],
      ],
      ['order_without_exactly_one_debit', [...placed, past, sql`delete from transfers where cause_id = ${id}`]],
      ['debit_without_order', [...placed, sql`delete from orders where id = ${id}`]],
      ['price_differs_from_debit', [...placed, sql`update orders set price = 99 where id = ${id}`]],
      ['refunded_without_exactly_one_refund', order(accountId, id, 'refunded')],
      ['refund_of_an_order_that_is_not_refunded', [...order(accountId, id, 'failed'), ...refund(accountId, id)]],
      ['completed_with_refund', [...order(accountId, id, 'completed'), ...refund(accountId, id)]],
      [
        'refund_without_definitive_evidence',
        [...order(accountId, id, 'refunded'), attempt(id, 1, 'unknown'), ...refund(accountId, id)],
      ],
      ['completed_without_proof_of_delivery', [...order(accountId, id, 'completed'), attempt(id, 1, 'accepted')]],
      ['reference_without_its_order', [...placed, sql`update orders set reference = 'other' where id = ${id}`]],
      ['reference_on_two_orders', [...placed, sql`delete from order_references where order_id = ${id}`]],
      ['second_attempt_without_proof_about_the_first', [...placed, attempt(id, 1, null), attempt(id, 2, 'accepted')]],
      ['open_row_of_an_ended_order', [...placed, sql`update orders set status = 'failed' where id = ${id}`]],
      ['open_order_without_its_row', order(accountId, id, 'processing')],
      [
        'status_differs_from_its_history',
        [
          ...placed,
          sql`insert into order_events (order_id, from_status, to_status, actor) values (${id}, 'pending', 'processing', 'test')`,
        ],
      ],
    ]
    const topUp = (way: string, limit: number | null) => sql`
      insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, state, made_by, transfer_key, decided_by, one_person_limit, ended_at)
      values (${id}, ${accountId}, ${way}, 'r', 'p', 100, 0, 'credited', 'ama', ${way === 'transfer' ? 'TX1' : null}, 'kofi', ${limit}, now())`
    cases.push(
      ['top_up_without_its_transfer', [topUp('paystack', null)]],
      ['transfer_confirmed_by_one_above_the_limit', [topUp('transfer', 99)]],
    )
    for (const [name, damage] of cases) expect(await findingsAfter(...damage)).toContain(name)
  })

  it('goes on from its checkpoints, and still finds what was changed since', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 500 })
    const book = openAuditBook(database.db, parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'the test'), allAuditChecks)
    expect((await runAudit(database.db, allAuditChecks, { isFull: true, book })).ok).toBe(true)
    const { rows } = await sql<{ balance: number }>`
      select balance from wallet_checkpoints where account_id = ${accountId} and purse = 'main'`.execute(database.db)
    expect(rows[0]?.balance).toBe(500)
    await sql`update wallets set balance = balance + 1 where account_id = ${accountId} and purse = 'main'`.execute(
      database.ownerDb,
    )
    const report = await runAudit(database.db, allAuditChecks, { isFull: false, book })
    expect(report.ok).toBe(false)
    expect(report.checks['wallet_differs_from_its_transfers']).toBe(1)
  })

  it('can be run by many at once while money moves', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 900 })
    await sql`update wallets set balance = balance - 1 where balance = 501`.execute(database.ownerDb)
    const moving = Array.from({ length: 20 }, (_, index) =>
      inTransaction(database.db, (tx) =>
        creditWallet(tx, { accountId, purse: 'main', amount: 1, externalId: `moving-${index}`, actor: 'test' }),
      ),
    )
    const audits = Array.from({ length: 8 }, () => runAudit(database.db, allAuditChecks, { isFull: false }))
    await Promise.all(moving)
    for (const report of await Promise.all(audits)) expect(report.ok).toBe(true)
  })

  it('is history that no process may change: the application’s role cannot update or delete a transfer or an event', async () => {
    for (const table of [
      'transfers',
      'order_events',
      'attempt_answers',
      'operator_log',
      'wallet_credits',
      'wallet_corrections',
    ]) {
      await expect(sql`delete from ${sql.table(table)}`.execute(database.db)).rejects.toThrow('permission denied')
      await expect(sql`truncate ${sql.table(table)}`.execute(database.db)).rejects.toThrow('permission denied')
      await expect(sql`delete from ${sql.table(table)}`.execute(database.ownerDb)).rejects.toThrow('never changed')
    }
    await expect(sql`update transfers set amount = 1`.execute(database.db)).rejects.toThrow('permission denied')
    // The columns that hold what was bought and for whom, and what was sent to a supplier.
    for (const [table, column] of [
      ['orders', 'recipient'],
      ['orders', 'price'],
      ['orders', 'account_id'],
      ['orders', 'details'],
      ['attempts', 'outgoing_reference'],
      ['attempts', 'order_id'],
      ['sms_messages', 'recipient'],
    ] as const) {
      const change = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)}`.execute(database.db)
      await expect(change).rejects.toThrow('permission denied')
    }
    await expect(sql`update transfers set amount = 1`.execute(database.ownerDb)).rejects.toThrow('never changed')
  })
})
