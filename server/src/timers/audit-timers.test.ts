import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { anHour } from '../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allAuditChecks, openAuditBook } from '../all-audit-checks.ts'
import { allChains } from '../all-chains.ts'
import { runAudit } from '../money/audit.ts'
import { transfersChain } from '../money/transfers-chain.ts'
import { positionOfRow } from '../platform/chains/chain.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'
import { verifyChain } from '../platform/chains/verify-chain.ts'
import type { Db } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { newId } from '../platform/database/new-id.ts'
import { wholeShare } from '../platform/housekeeping/background-share.ts'
import { createPartitions } from '../platform/partitions/partitions.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { auditAndRaise, auditAtNight } from './audit-timers.ts'

const keyOf = (byte: number) => parseSecretsKeys(Buffer.alloc(32, byte).toString('base64'), 'the test')
const secretsKeys = keyOf(1)
const monthMilliseconds = 31 * 86_400_000

let database: TestDatabase
let accountId = ''
/** An order of two months ago. */
const oldOrder = firstIdAt(Date.now() - 2 * monthMilliseconds)

beforeAll(async () => {
  database = await createTestDatabase()
  await createPartitions(database.ownerDb, new Date(Date.now() - 3 * monthMilliseconds))
  ;({ accountId } = await makeAccount(database.db, { balancePesewas: 1_000 }))
  await sql`
    insert into orders (id, account_id, kind, reference, status, price, recipient, details)
    values (${oldOrder}, ${accountId}, 'data', 'old', 'completed', 100, '0240000000', '{}')`.execute(database.db)
  await sql`insert into order_references values ('old', ${accountId}, ${oldOrder}, 'data', '\\x00')`.execute(database.db)
  await sql`
    insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome)
    values (${oldOrder}, 1, 'datamart', 'old', now(), 'delivered')`.execute(database.db)
  await sql`
    insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after)
    values (${oldOrder}, 'purchase', ${accountId}, 'main', 'sales', 100, 2, 900)`.execute(database.db)
  await sql`
    update wallets set balance = 900, last_entry_no = 2 where account_id = ${accountId} and purse = 'main'`.execute(database.db)
  await sql`
    insert into order_events (order_id, from_status, to_status, actor) values (${oldOrder}, 'processing', 'completed', 'test')`.execute(
    database.db,
  )
  await sealAll()
})
afterAll(() => database.drop())

const bookOf = (db: Db, keys = secretsKeys) => openAuditBook(db, keys, allAuditChecks)

/** Seals every row of both chains. A transaction of another test on the same server delays sealing, also between two rows. */
async function sealAll(): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const chain of allChains) {
        await sealChain(database.db, chain)
        const { rows } = await sql`
          select from ${chain.table} where ${positionOfRow} > coalesce(
            (select max(through_position) from chain_blocks where chain = ${chain.name}), 0)`.execute(database.db)
        if (rows.length > 0) throw new Error(`${chain.name} has rows that are not sealed yet`)
      }
    },
    { timeout: anHour, interval: 200 },
  )
}

async function findingsOf(db: Db, { isFull = false, keys = secretsKeys } = {}): Promise<string[]> {
  const { checks } = await runAudit(db, allAuditChecks, { isFull, book: bookOf(db, keys) })
  return Object.keys(checks).filter((name) => checks[name] !== 0)
}

/** Changes rows as somebody with all rights on the database, looks, and takes the changes back. */
async function afterDamage(damage: readonly ReturnType<typeof sql>[], look: (db: Db) => Promise<void>): Promise<void> {
  const undo = new Error('undo')
  await database.ownerDb
    .transaction()
    .execute(async (tx) => {
      for (const table of ['transfers', 'order_events', 'chain_blocks']) {
        await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
      }
      for (const step of damage) await step.execute(tx)
      await look(tx)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
}

const ofWallet = () => sql`account_id = ${accountId} and purse = 'main'`
/** A move of commission of 10 pesewas into the wallet, as its row would say. */
const newEntry = (entryNo: number, balance: number) => {
  const id = newId()
  return sql`
    with moved as (
      insert into commission_moves (id, account_id, amount, actor) values (${id}, ${accountId}, 10, 'test') returning id
    )
    insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after)
    select id, 'commission_move', ${accountId}, 'sales', 'main', 10, ${entryNo}, ${balance} from moved`
}
const oldAmount = sql`update transfers set amount = 90 where cause_id = ${oldOrder}`

describe('an audit that rests on a proof', () => {
  beforeEach(async () => {
    const findings = await findingsOf(database.db, { isFull: true })
    if (findings.length > 0) throw new Error(`the honest books break ${findings.join(', ')}`)
  })

  it('finds nothing in honest books, and moves the proof on', async () => {
    const before = (await bookOf(database.db).read()).proof
    expect(await findingsOf(database.db)).toEqual([])
    const after = (await bookOf(database.db).read()).proof
    expect(before?.provenAt.getTime()).toBeLessThan(after?.provenAt.getTime() ?? 0)
  })

  it('does not look at a proven row again: a full audit and the chain find that it was falsified', async () => {
    await afterDamage([oldAmount], async (db) => {
      expect(await findingsOf(db)).toEqual([])
      expect(await findingsOf(db, { isFull: true })).toEqual(
        expect.arrayContaining(['price_differs_from_debit', 'wallet_differs_from_its_transfers']),
      )
    })
    const write = async (amount: number) => {
      await sql`alter table transfers disable trigger user`.execute(database.ownerDb)
      const partition = sql.table(
        `transfers_${new Date(Date.now() - 2 * monthMilliseconds).toISOString().slice(0, 7).replace('-', '_')}`,
      )
      await sql`alter table ${partition} disable trigger user`.execute(database.ownerDb)
      await sql`update transfers set amount = ${amount} where cause_id = ${oldOrder}`.execute(database.ownerDb)
    }
    await write(90)
    expect((await verifyChain(database.db, transfersChain)).finding).toMatchObject({
      what: 'row altered',
      row: `${oldOrder}/purchase`,
    })
    await write(100)
    expect((await verifyChain(database.db, transfersChain)).finding).toBeNull()
  })

  it.each<[string, ReturnType<typeof sql>, string]>([
    [
      'was refunded',
      sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after)
        select ${oldOrder}, 'refund', account_id, 'sales', 'main', 100, 3, 1000 from orders where id = ${oldOrder}`,
      'refund_of_an_order_that_is_not_refunded',
    ],
    [
      'got another status',
      sql`insert into order_events (order_id, from_status, to_status, actor)
        values (${oldOrder}, 'completed', 'refunded', 'test')`,
      'status_differs_from_its_history',
    ],
  ])('finds that an order of long ago %s since the proof', async (_what, damage, rule) => {
    await afterDamage([damage], async (db) => expect(await findingsOf(db)).toContain(rule))
  })

  it('finds a changed balance, also when the checkpoint was changed with it', async () => {
    const balance = sql`update wallets set balance = balance + 5 where ${ofWallet()}`
    const checkpoint = sql`update wallet_checkpoints set balance = balance + 5 where ${ofWallet()}`
    for (const damage of [[balance], [balance, checkpoint]]) {
      await afterDamage(damage, async (db) => expect(await findingsOf(db)).toContain('wallet_differs_from_its_transfers'))
    }
  })

  it('finds an entry that was changed below a checkpoint which was moved over it', async () => {
    await sql`delete from wallet_checkpoints where ${ofWallet()}`.execute(database.ownerDb)
    const entry = sql`update transfers set amount = 90 where cause_id = ${oldOrder}`
    const moved = sql`insert into wallet_checkpoints (account_id, purse, entry_no, balance, keyed_hash)
      values (${accountId}, 'main', 2, 900, '\\x00')`
    await afterDamage([entry, moved], async (db) => expect(await findingsOf(db)).toContain('balance_after_does_not_follow'))
  })

  it('finds, with the next entry of the wallet, that the entry of its checkpoint was changed', async () => {
    const entry = sql`update transfers set from_balance_after = 905 where cause_id = ${oldOrder}`
    const next = [newEntry(3, 910), sql`update wallets set balance = 910, last_entry_no = 3 where ${ofWallet()}`]
    await afterDamage(next, async (db) => expect(await findingsOf(db)).toEqual([]))
    await afterDamage([entry, ...next], async (db) => expect(await findingsOf(db)).toEqual(['checkpoint_differs_from_its_entry']))
  })

  it('finds a new entry of a wallet whose row was not changed', async () => {
    await afterDamage([newEntry(3, 910)], async (db) =>
      expect(await findingsOf(db)).toContain('entry_above_the_last_of_its_wallet'),
    )
  })

  it('does not rest on a proof whose time was moved over a difference', async () => {
    const proof = sql`update audit_proof set proven_at = proven_at + interval '1 hour'`
    await afterDamage([proof], async (db) => expect((await bookOf(db).read()).proof).toBeUndefined())
  })

  it('does not rest on a proof that was written with another key, or for fewer rules', async () => {
    expect((await bookOf(database.db, keyOf(2)).read()).proof).toBeUndefined()
    const fewer = openAuditBook(database.db, secretsKeys, allAuditChecks.slice(1))
    expect((await fewer.read()).proof).toBeUndefined()
  })

  it('finds that a block of the proof was changed', async () => {
    const block = sql`update chain_blocks set hash = repeat('0', 64) where chain = 'transfers'`
    await afterDamage([block], async (db) => expect(await findingsOf(db)).toEqual(['proof_differs_from_its_blocks']))
  })
})

describe('the timers of the audit', () => {
  const log = pino({ level: 'silent' })
  const workOn = (db: Db) => ({ db, log, auditDb: db, share: wholeShare, checks: allAuditChecks, secretsKeys })
  const listAlarms = async (db: Db) =>
    (await db.selectFrom('alarms').select('subject').where('name', '=', 'audit').where('cleared_at', 'is', null).execute()).map(
      ({ subject }) => subject,
    )

  it('look at everything at night while nothing is proven, and once in each month', async () => {
    const provenAt = async () => (await bookOf(database.db).read()).proof?.provenAt
    await sql`delete from audit_proof`.execute(database.db)
    await auditAtNight(workOn(database.db), new Date('2026-03-05T03:00:00Z'))
    expect(await provenAt()).toBeUndefined()
    await auditAtNight(workOn(database.db), new Date('2026-03-05T02:00:00Z'))
    const first = (await provenAt()) ?? new Date(0)
    const nightOf = (month: number, day: number) => new Date(Date.UTC(first.getUTCFullYear(), month, day, 2))
    const month = first.getUTCMonth()
    await auditAtNight(workOn(database.db), nightOf(month, first.getUTCDate()))
    await auditAtNight(workOn(database.db), nightOf(month, 1))
    expect(await provenAt()).toEqual(first)
    await auditAtNight(workOn(database.db), nightOf(month + 1, 1))
    const second = await provenAt()
    expect(second).not.toEqual(first)
    // Nobody was there in the first night of the month.
    await auditAtNight(workOn(database.db), nightOf(month + 1, 2))
    expect(await provenAt()).not.toEqual(second)
  })

  it('keep the time of the last look at everything, and do not trust it when somebody changed it', async () => {
    await auditAndRaise(workOn(database.db), true)
    const { proof } = await bookOf(database.db).read()
    await auditAndRaise(workOn(database.db), false)
    const later = (await bookOf(database.db).read()).proof
    expect(later?.provenAt).not.toEqual(proof?.provenAt)
    expect(later?.everythingAt).toEqual(proof?.provenAt)
    const moved = sql`update audit_proof set everything_at = everything_at + interval '1 year'`
    await afterDamage([moved], async (db) => expect((await bookOf(db).read()).proof).toBeUndefined())
  })

  it('prove nothing and clear no alarm when a look at everything found something meanwhile', async () => {
    await auditAndRaise(workOn(database.db), true)
    await afterDamage([oldAmount], async (db) => {
      let isBegun = false
      const share: typeof wholeShare = {
        ...wholeShare,
        async piece(work, waitedSeconds) {
          if (!isBegun) {
            isBegun = true
            await auditAndRaise(workOn(db), true)
          }
          return wholeShare.piece(work, waitedSeconds)
        },
      }
      await auditAndRaise({ ...workOn(db), share }, false)
      expect(await listAlarms(db)).toContain('price_differs_from_debit')
      expect((await bookOf(db).read()).proof).toBeUndefined()
    })
  })

  it('keep the alarm about an old row until a run that looks at it finds it mended', async () => {
    await afterDamage([oldAmount], async (db) => {
      await auditAndRaise(workOn(db), true)
      expect(await listAlarms(db)).toContain('price_differs_from_debit')
      expect((await bookOf(db).read()).proof).toBeUndefined()
      await auditAndRaise(workOn(db), false)
      expect(await listAlarms(db)).toContain('price_differs_from_debit')
      await sql`update transfers set amount = 100 where cause_id = ${oldOrder}`.execute(db)
      await auditAndRaise(workOn(db), true)
      expect(await listAlarms(db)).toEqual([])
    })
  })
})
