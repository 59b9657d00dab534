import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patienceSeconds } from '../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { untilTransactionsEnd } from '../test/until-transactions-end.ts'
import { allChains } from './all-chains.ts'
import { transfersChain } from './money/transfers-chain.ts'
import { type Chain, selectRowsInRange } from './platform/chains/chain.ts'
import { checkEra, followRestoredServer } from './platform/chains/follow-restored-server.ts'
import { readChainHeads } from './platform/chains/read-chain-heads.ts'
import { sealChain, sealNextBlock } from './platform/chains/seal-chain.ts'
import { verifyChain } from './platform/chains/verify-chain.ts'
import type { Db, Tx } from './platform/database/database.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { newId } from './platform/database/new-id.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

/** For each chain: a column that an attacker would change, and a statement that writes a row with a given number. */
const rowsOf: Record<Chain['name'], { changed: RawBuilder<unknown>; insert: (no: number) => RawBuilder<unknown> }> = {
  operator_log: {
    changed: sql`actor = 'nobody'`,
    insert: (no) =>
      sql`insert into operator_log (actor, action, subject, details) values ('ama', 'test', ${`row ${no}`}, '{"b":1,"a":2}')`,
  },
  transfers: {
    changed: sql`amount = amount + 1`,
    insert: (no) => sql`
      insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after)
      values (${newId()}, 'credit', ${account}, 'top_ups', 'main', 100, ${no}, ${no * 100})`,
  },
  order_events: {
    changed: sql`reason = 'another'`,
    insert: (no) => sql`
      insert into order_events (order_id, from_status, to_status, reason, actor)
      values (${newId()}, 'pending', 'processing', ${`row ${no}`}, 'worker')`,
  },
}
const account = newId()

async function write(chain: Chain, count: number, db: Db = database.db): Promise<void> {
  for (let no = 1; no <= count; no += 1) await rowsOf[chain.name].insert(nextNo++).execute(db)
}
let nextNo = 1

/** Runs statements as the owner, with the triggers of the chain's table switched off. */
const tamper = (chain: Chain, ...statements: RawBuilder<unknown>[]) =>
  database.ownerDb.transaction().execute(async (tx) => {
    await sql`alter table ${chain.table} disable trigger user`.execute(tx)
    for (const statement of statements) await statement.execute(tx)
    await sql`alter table ${chain.table} enable trigger user`.execute(tx)
  })

const sealNow = (chain: Chain, rowsMax = 4) =>
  sealChain(database.db, chain, { rowsMax, restSeconds: 0, milliseconds: patienceSeconds * 1_000 })
async function seal(chain: Chain, rowsMax?: number): Promise<void> {
  await untilTransactionsEnd(database.db)
  await sealNow(chain, rowsMax)
}
const verify = (chain: Chain) => verifyChain(database.db, chain)
/** A condition that selects the n-th row of a chain. */
const nth = ({ table, key }: Chain, no: number) => {
  const column = sql.ref(key.at(-1)?.column === 'kind' ? 'cause_id' : (key.at(-1)?.column ?? ''))
  return sql`${column} = (select ${column} from ${table} order by era, transaction_id, ${column} offset ${no - 1} limit 1)`
}
const nameIn = ({ key }: Chain) => sql`concat_ws('/', ${sql.join(key.map(({ column }) => sql.ref(column)))})`
async function nameOf(chain: Chain, no: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select ${nameIn(chain)} as name from ${chain.table} where ${nth(chain, no)}`.execute(database.db)
  return rows[0]?.name ?? ''
}

describe.each(allChains)('promise 15: the chain of $name', (chain) => {
  beforeEach(async () => {
    await write(chain, 10)
    await seal(chain)
  })

  it('holds what was written, in blocks of bounded size, and proves it', async () => {
    const { blocks, rows, finding } = await verify(chain)
    expect({ rows, finding }).toEqual({ rows: 10, finding: null })
    expect(blocks).toBeGreaterThanOrEqual(3)
    await write(chain, 1)
    await seal(chain)
    expect(await verify(chain)).toMatchObject({ rows: 11, finding: null })
  })

  it('names a row that was altered, and when it was sealed', async () => {
    const name = await nameOf(chain, 7)
    await tamper(chain, sql`update ${chain.table} set ${rowsOf[chain.name].changed} where ${nth(chain, 7)}`)
    const { finding } = await verify(chain)
    expect(finding).toEqual({ what: 'row altered', row: name, blockNo: expect.any(Number), sealedAt: expect.any(Date) })
  })

  it('names a row that was deleted', async () => {
    const name = await nameOf(chain, 7)
    await tamper(chain, sql`delete from ${chain.table} where ${nth(chain, 7)}`)
    expect((await verify(chain)).finding).toMatchObject({ what: 'row missing', row: name })
  })

  it('names a row that was slipped in among the sealed ones, or before the first', async () => {
    const { rows } = await sql<{
      id: string
    }>`select transaction_id::text as id from ${chain.table} where ${nth(chain, 4)}`.execute(database.db)
    for (const transactionId of [rows[0]?.id ?? '', '3']) {
      await write(chain, 1)
      const name = await nameOf(chain, 11)
      const isIt = sql`${nameIn(chain)} = ${name}`
      await tamper(chain, sql`update ${chain.table} set transaction_id = ${transactionId}::xid8 where ${isIt}`)
      expect((await verify(chain)).finding).toMatchObject({ what: 'row added', row: name })
      await tamper(chain, sql`delete from ${chain.table} where ${isIt}`)
      expect((await verify(chain)).finding).toBeNull()
    }
  })

  it('names a row that was moved out of its transaction as missing there', async () => {
    const name = await nameOf(chain, 2)
    await tamper(chain, sql`update ${chain.table} set transaction_id = '9000000'::xid8 where ${nth(chain, 2)}`)
    expect((await verify(chain)).finding).toMatchObject({ what: 'row missing', row: name, blockNo: expect.any(Number) as number })
  })

  it('covers every column of its rows', async () => {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = ${chain.name}::regclass and attnum > 0 and not attisdropped`.execute(
      database.db,
    )
    expect(chain.forms.at(-1)?.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  it('finds the rows of a stretch by an index', async () => {
    const stretch = { after: { position: 100, key: null }, through: { position: 200, key: null } }
    const plan = await inTransaction(database.db, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`explain ${selectRowsInRange(chain, stretch)}`.execute(tx)
    })
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines).toMatch(/Bitmap Index Scan on (operator_log_by_position|(transfers|order_events)_\d{4}_\d\d_expr_idx)/)
    expect(lines).not.toContain('Seq Scan')
  })

  it('holds no row whose transaction may still commit, so one that commits late is no false alarm', async () => {
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isWritten, resolve: tellWritten } = Promise.withResolvers<void>()
    const late = inTransaction(database.db, async (tx) => {
      await write(chain, 1, tx)
      tellWritten()
      await mayCommit
    })
    await isWritten
    await write(chain, 3)
    await sealNow(chain)
    expect(await verify(chain)).toMatchObject({ rows: 10, finding: null })
    commit()
    await late
    await seal(chain)
    expect(await verify(chain)).toMatchObject({ rows: 14, finding: null })
  })

  it('is sealed once by two workers at the same time, while rows are written', async () => {
    const writing = Promise.all(Array.from({ length: 4 }, () => write(chain, 25)))
    const sealing = Promise.all(
      Array.from({ length: 4 }, () =>
        sealChain(database.db, chain, { rowsMax: 7, restSeconds: 0, milliseconds: patienceSeconds * 1_000 }),
      ),
    )
    await Promise.all([writing, sealing])
    await seal(chain, 7)
    expect(await verify(chain)).toMatchObject({ rows: 110, finding: null })
  })

  it('seals many rows of one transaction in bounded blocks', async () => {
    await tamper(chain, sql`update ${chain.table} set transaction_id = '5'`)
    await tamperBlocks(sql`delete from chain_blocks`)
    await write(chain, 2)
    await seal(chain, 3)
    const { rows } = await sql<{ row_count: number }>`select row_count from chain_blocks where chain = ${chain.name}`.execute(
      database.db,
    )
    expect(Math.max(...rows.map(({ row_count: count }) => count))).toBeLessThanOrEqual(3)
    expect(await verify(chain)).toMatchObject({ rows: 12, finding: null })
    const name = await nameOf(chain, 10)
    await tamper(chain, sql`delete from ${chain.table} where ${nameIn(chain)} = ${name}`)
    expect((await verify(chain)).finding?.what).toBe('row missing')
  })
})

const tamperBlocks = (statement: RawBuilder<unknown>) =>
  database.ownerDb.transaction().execute(async (tx) => {
    await sql`alter table chain_blocks disable trigger user`.execute(tx)
    await statement.execute(tx)
    await sql`alter table chain_blocks enable trigger user`.execute(tx)
  })

describe('promise 15: blocks', () => {
  const chain = transfersChain
  beforeEach(async () => {
    await write(chain, 10)
    await seal(chain)
  })
  const lastNo = async () => (await verify(chain)).head?.blockNo ?? 0

  it('that are not full wait until the one before is a minute old', async () => {
    await write(chain, 1)
    await untilTransactionsEnd(database.db)
    expect(await sealNextBlock(database.db, chain, { restSeconds: 3_600 })).toBe(0)
    expect(await sealNextBlock(database.db, chain, { rowsMax: 2 })).toBe(1)
    await tamperBlocks(sql`update chain_blocks set sealed_at = sealed_at - interval '61 seconds'`)
    await write(chain, 1)
    await untilTransactionsEnd(database.db)
    expect(await sealNextBlock(database.db, chain)).toBe(1)
  })

  it('cannot be changed or deleted by a process, nor by a slip of the owner', async () => {
    for (const statement of [sql`update chain_blocks set hash = ''`, sql`delete from chain_blocks`, sql`truncate chain_blocks`]) {
      await expect(statement.execute(database.db)).rejects.toThrow('permission denied')
      await expect(statement.execute(database.ownerDb)).rejects.toThrow('never changed')
    }
  })

  it('that were altered, or are missing in the middle, are named', async () => {
    await tamperBlocks(sql`update chain_blocks set sealed_at = sealed_at - interval '1 day' where block_no = 2`)
    expect((await verify(chain)).finding).toMatchObject({ what: 'block altered', blockNo: 2 })
    await tamperBlocks(sql`delete from chain_blocks where block_no = 2`)
    expect((await verify(chain)).finding).toEqual({ what: 'block missing', row: null, blockNo: 2, sealedAt: null })
  })

  it('that were made anew over altered rows are told by a head that was noted elsewhere', async () => {
    const noted = [(await verify(chain)).head].filter((head) => head !== null)
    await tamper(chain, sql`update transfers set amount = amount + 1 where ${nth(chain, 5)}`)
    await tamperBlocks(sql`delete from chain_blocks`)
    await seal(chain)
    expect((await verify(chain)).finding).toBeNull()
    expect((await verifyChain(database.db, chain, { noted })).finding).toMatchObject({
      what: 'block altered',
      blockNo: noted[0]?.blockNo,
    })
    await tamperBlocks(sql`delete from chain_blocks`)
    expect((await verifyChain(database.db, chain, { noted })).finding).toMatchObject({ what: 'block missing' })
  })

  it('are whole or not there after a crash, and the next worker goes on', async () => {
    await write(chain, 9)
    await untilTransactionsEnd(database.db)
    const before = await lastNo()
    const dying = database.db.transaction().execute(async (tx) => {
      await sealNextBlock(nested(tx), chain, { rowsMax: 4 })
      throw new Error('killed before COMMIT')
    })
    await expect(dying).rejects.toThrow('killed')
    expect(await lastNo()).toBe(before)
    await sealNextBlock(database.db, chain, { rowsMax: 4, restSeconds: 0 })
    expect(await lastNo()).toBe(before + 1)
    await seal(chain)
    expect(await verify(chain)).toMatchObject({ rows: 19, finding: null })
  })

  it('are looked at from a moment on, when the rest was looked at before', async () => {
    const { rows } = await sql<{
      at: Date
    }>`select sealed_at as at from chain_blocks where chain = 'transfers' and block_no = 3`.execute(database.db)
    await tamper(chain, sql`update transfers set amount = amount + 1 where ${nth(chain, 1)}`)
    const seen: number[] = []
    const from = { from: rows[0]!.at, onProgress: (count: number) => seen.push(count) }
    expect(await verifyChain(database.db, chain, from)).toMatchObject({ finding: null })
    expect(seen.length).toBeGreaterThan(0)
    expect((await verify(chain)).finding).toMatchObject({ what: 'row altered', blockNo: 1 })
    expect(await verifyChain(database.db, chain, { from: new Date('2199-01-01') })).toMatchObject({ blocks: 0, finding: null })
  })

  it('fall behind visibly while a transaction stays open, and catch up when it ends', async () => {
    const behind = async () => (await readChainHeads(database.db)).find((head) => head.chain === 'transfers')?.secondsBehind ?? 0
    await tamperStates(sql`sealed_through_at = now() - interval '2 hours', mark_at = now() - interval '2 hours'`)
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: hasBegun, resolve: tellBegun } = Promise.withResolvers<void>()
    const open = inTransaction(database.db, async (tx) => {
      await tamperStates(sql`mark_position = ${await currentPosition(tx)} + 1`)
      tellBegun()
      await mayEnd
    })
    await hasBegun
    await sealNow(chain)
    expect(await behind()).toBeGreaterThan(7_000)
    end()
    await open
    await seal(chain)
    await seal(chain)
    expect(await behind()).toBeLessThan(60)
  })

  it('are not behind where rows are written without a pause, so that some always wait', async () => {
    await tamperStates(sql`sealed_through_at = now() - interval '2 hours', mark_position = 0, mark_at = now()`)
    await write(chain, 1)
    await untilTransactionsEnd(database.db)
    expect(await sealNextBlock(database.db, chain, { restSeconds: 0 })).toBe(1)
    const heads = await readChainHeads(database.db)
    expect(heads.find((head) => head.chain === 'transfers')?.secondsBehind).toBeLessThan(60)
  })

  it('go on after a dump was restored into a server that has used fewer transactions', async () => {
    // Makes all rows look as if another server with much higher transaction ids had written them.
    await tamper(chain, sql`update transfers set transaction_id = ((transaction_id::text::bigint + 1000000)::text)::xid8`)
    await tamperBlocks(sql`delete from chain_blocks`)
    await database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table chain_blocks disable trigger user`.execute(tx)
      await sql`update chain_era set era = 1`.execute(tx)
      await sealNextBlock(nested(tx), chain, { rowsMax: 4 })
      await sql`update chain_era set era = 0`.execute(tx)
      await sql`alter table chain_blocks enable trigger user`.execute(tx)
    })
    await expect(checkEra(database.db)).rejects.toThrow('makola migrate')
    expect(await followRestoredServer(database.ownerDb, allChains)).toBe(true)
    expect(await followRestoredServer(database.ownerDb, allChains)).toBe(false)
    await checkEra(database.db)
    await write(chain, 3)
    await seal(chain)
    expect(await verify(chain)).toMatchObject({ rows: 13, finding: null })
  })
})

const tamperStates = (set: RawBuilder<unknown>) =>
  sql`update chain_states set ${set} where chain = 'transfers'`.execute(database.ownerDb)

async function currentPosition(tx: Tx): Promise<number> {
  const { rows } = await sql<{ position: number }>`select pg_current_xact_id()::text::bigint as position`.execute(tx)
  return rows[0]?.position ?? 0
}

/** A database whose work runs inside a transaction that is open already. */
const nested = (tx: Tx) => ({ transaction: () => ({ execute: (work: (inner: Tx) => unknown) => work(tx) }) }) as unknown as Db
