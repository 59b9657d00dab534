import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../../test/make-account.ts'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allAuditChecks } from '../all-audit-checks.ts'
import { allChains } from '../all-chains.ts'
import { runAudit } from '../money/audit.ts'
import { listLedger } from '../money/statement/list-ledger.ts'
import { readWalletStatement } from '../money/statement/read-wallet-statement.ts'
import { hashRequest } from '../orders/intake/place-orders.ts'
import { nameOrders } from '../orders/queries/name-orders.ts'
import { verifyChain } from '../platform/chains/verify-chain.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { products } from '../products/products.ts'
import { readBalances } from '../reports/read-balances.ts'
import { readSales } from '../reports/read-sales.ts'
import { deleteCounts } from '../reports/roll-up.ts'
import { bringMonthBack } from './bring-back.ts'
import { listDueMonths } from './list-due-months.ts'
import { listArchivedMonths, verifyMonthFiles } from './month-files.ts'
import { monthName, monthStart, sealAndCount, writeOldSales } from './old-sales.fixture.ts'
import { type ArchiveDeps, putMonthAway } from './put-away.ts'
import { watchArchive } from './watch-archive.ts'

/** Three months of sales, which each test gets a copy of. */
let history: TestDatabase
let accountId: string
beforeAll(async () => {
  history = await createTestDatabase()
  accountId = (await makeAccount(history.db)).accountId
  await writeOldSales(history.ownerDb, accountId)
  await sealAndCount(history.db)
  await Promise.all([history.db.destroy(), history.ownerDb.destroy()])
})
afterAll(() => history.drop())

let database: TestDatabase
let app: TestApp | undefined
let folder: string
beforeEach(async () => {
  database = await createTestDatabase(history.name)
  folder = await mkdtemp(join(tmpdir(), 'makola-archive-'))
})
afterEach(async () => {
  // Closing the app drops its database too.
  await (app?.close() ?? database.drop())
  app = undefined
  await rm(folder, { recursive: true })
})

/** Serves the history. @returns calls as the account */
async function serve() {
  const served = await startTestApp({ database })
  app = served
  const key = await makeKeyFor(database.db, accountId)
  return (method: string, path: string, body?: unknown) => served.call(method, path, { key, body })
}

const deps = (): ArchiveDeps => ({ db: database.db, archiveDir: folder, checks: allAuditChecks, actor: 'test' })

async function findMonth(ago: number) {
  const month = (await listDueMonths(database.db, monthName(ago - 1))).find((each) => each.month === monthName(ago))
  if (!month) throw new Error(`the month ${monthName(ago)} is not due`)
  return month
}

/** Puts a month away, as if the seven days of waiting were over. */
async function putAway(ago: number): Promise<void> {
  const month = await findMonth(ago)
  await putMonthAway(deps(), month)
  await letWait()
  expect(await putMonthAway(deps(), month)).toBe('put_away')
  await sealAndCount(database.db)
}

const letWait = () =>
  sql`update put_away_months set written_at = written_at - interval '8 days' where state = 'written'`.execute(database.ownerDb)

const bringBack = (ago: number) => bringMonthBack({ db: database.db, actor: 'test' }, monthName(ago))

/** Finds the rules that rows break, and the first row of each chain that is not as it was sealed. */
async function audit() {
  const { db } = database
  const { checks } = await runAudit(db, allAuditChecks, { isFull: true, rowsPerPiece: 25 })
  const chains = []
  for (const chain of allChains) chains.push((await verifyChain(db, chain)).finding)
  return { broken: Object.entries(checks).filter(([, bad]) => bad !== 0), chains: chains.filter((finding) => finding !== null) }
}

const inOrder = { broken: [], chains: [] }

async function statementOf(ago: number | undefined) {
  const period = ago === undefined ? {} : { from: monthStart(ago), until: monthStart(ago - 1) }
  const statement = await readWalletStatement(database.db, { accountId, purse: 'main', ...period }, (db, ids) =>
    nameOrders(db, products, ids),
  )
  const listed = []
  for await (const entry of statement.entries()) listed.push(entry)
  return { ...statement, entries: listed }
}

/** Reads the figures that people see: balances at the ends of months, and sales by day, account, supplier and network. */
async function figures() {
  const { db } = database
  const ends = [10, 9, 8, 1, 0].map((ago) => readBalances(db, ago === 0 ? undefined : monthStart(ago - 1)))
  const period = { from: `${monthName(10)}-01`, to: `${monthName(0)}-01` }
  const sales = (['day', 'account', 'supplier', 'network'] as const).map(async (by) => {
    const { rows, total } = await readSales(db, period, by)
    return { rows, total }
  })
  return { balances: await Promise.all(ends), sales: await Promise.all(sales) }
}

const countRows = async () =>
  (
    await sql<{ transfers: number; events: number }>`
      select (select count(*) from transfers) as transfers, (select count(*) from order_events) as events`.execute(database.db)
  ).rows[0]

describe('a month that is put away', () => {
  it('raises an alarm while one of its files is missing, or after it was cut, also the manifest, until it is as it was or the month is back', async () => {
    const { db } = database
    const silentLog = { error: () => undefined, info: () => undefined }
    const raised = async () => {
      await watchArchive(db, silentLog)
      const rows = await db.selectFrom('alarms').selectAll().where('name', '=', 'archive_file_missing').execute()
      return rows.flatMap(({ subject, message, cleared_at }) => (cleared_at === null ? `${subject}: ${message}` : []))
    }
    await putAway(10)
    expect(await raised()).toEqual([])
    const file = join(folder, monthName(10), 'transfers.parquet')
    const whole = await readFile(file)
    await rm(file)
    expect(await raised()).toEqual([expect.stringContaining(`${monthName(10)}: ${file} is missing`)])
    await writeFile(file, whole.subarray(1))
    expect(await raised()).toHaveLength(1)
    await writeFile(file, whole)
    expect(await raised()).toEqual([])
    const manifest = join(folder, monthName(10), 'manifest.json')
    await writeFile(manifest, (await readFile(manifest)).subarray(0, 20))
    expect(await raised()).toEqual([expect.stringContaining('manifest.json is missing')])
    await rm(manifest)
    expect(await raised()).toEqual([expect.stringContaining('manifest.json is missing')])
  })

  it('leaves balances, reports, later statements and the audit as they were, and comes back whole', async () => {
    expect(await audit()).toEqual(inOrder)
    const before = { figures: await figures(), rows: await countRows(), 9: await statementOf(9), 8: await statementOf(8) }
    await putAway(10)
    expect(await audit()).toEqual(inOrder)
    expect(await figures()).toEqual(before.figures)
    expect(await statementOf(9)).toEqual(before[9])
    await putAway(9)
    expect(await audit()).toEqual(inOrder)
    expect(await figures()).toEqual(before.figures)
    expect(await statementOf(8)).toEqual(before[8])
    // Of 40 orders of a month four failed and one was delivered in the next month. The credit stays as well.
    expect(await countRows()).toEqual({
      transfers: (before.rows?.transfers ?? 0) - 2 * 35,
      events: (before.rows?.events ?? 0) - 2 * 2 * 35,
    })
    await bringBack(10)
    expect(await audit()).toEqual(inOrder)
    await bringBack(9)
    await sealAndCount(database.db)
    expect(await audit()).toEqual(inOrder)
    expect(await countRows()).toEqual(before.rows)
    expect({ figures: await figures(), rows: await countRows(), 9: await statementOf(9), 8: await statementOf(8) }).toEqual(
      before,
    )
  })

  it('is missing from statements of its own time only, which say so', async () => {
    const call = await serve()
    await putAway(9)
    await expect(statementOf(9)).rejects.toThrow('The entries of this time were put away.')
    expect((await call('GET', '/wallet/balance')).status).toBe(200)
    const whole = await statementOf(undefined)
    expect(whole.from).toEqual(monthStart(8))
    expect(whole.opening).toBe((await statementOf(8)).opening)
    expect((await statementOf(10)).closing).toBeGreaterThan(0)
    const page = await listLedger(database.db, { accountId, purse: 'main', limit: 1_000 }, () => Promise.resolve(new Map()))
    expect(page.entries).toHaveLength(whole.count)
  })

  it('answers for its references, and never sells them again', async () => {
    const call = await serve()
    const body = { network: 'MTN', volume_gb: 1, recipient: '0241234567' }
    const fingerprint = hashRequest(['data', 'MTN', 1, '0241234567', 'old-10-5'])
    await sql`update order_references set fingerprint = decode(${fingerprint}, 'hex') where reference = 'old-10-5'`.execute(
      database.ownerDb,
    )
    const before = await call('GET', '/orders/old-10-5')
    await putAway(10)
    const after = await call('GET', '/orders/old-10-5')
    expect(after.body.data).toEqual(before.body.data)
    expect(after.body.data).toMatchObject({ status: 'completed', price: 5.2, recipient: '024*****67' })
    const again = await call('POST', '/data/purchase', { ...body, reference: 'old-10-5' })
    expect(again.headers['idempotent-replayed']).toBe('true')
    const wanted = { ...body, volume_gb: 2, reference: 'old-10-5' }
    expect((await call('POST', '/data/purchase', wanted)).status).toBe(409)
  })

  it('keeps its sums when all days are counted anew', async () => {
    const before = await figures()
    await putAway(10)
    await putAway(9)
    await inTransaction(database.db, deleteCounts)
    expect((await figures()).balances).toEqual(before.balances)
    await sealAndCount(database.db)
    expect(await figures()).toEqual(before)
    expect(await audit()).toEqual(inOrder)
  })

  it('takes new rows only about what stayed, and keeps them when it comes back', async () => {
    const { db } = database
    await putAway(10)
    const note = (reference: string) =>
      sql`
      insert into attempt_answers (order_id, attempt_no, source, answer, evidence)
      select id, 1, 'callback', 'failed', 'late' from orders where reference = ${reference}`.execute(db)
    await expect(note('old-10-5')).rejects.toThrow('is put away and is only read')
    await note('old-10-3')
    await bringBack(10)
    const { rows } = await sql`select from attempt_answers where evidence = 'late'`.execute(db)
    expect(rows).toHaveLength(1)
    expect(await audit()).toEqual(inOrder)
  })
})

describe('a month is not put away', () => {
  it('while something in it is open, or its numbers are not forgotten', async () => {
    const { db, ownerDb } = database
    await sql`insert into unrefunded_orders select id from orders where reference = 'old-10-3'`.execute(ownerDb)
    await sql`update orders set recipient_hash = null where reference = 'old-10-7'`.execute(ownerDb)
    await expect(findMonth(10).then((month) => putMonthAway(deps(), month))).rejects.toThrow(
      /cannot be put away, because it has failed orders that are not refunded: [0-9a-f-]{36}; orders whose numbers are not forgotten yet: [0-9a-f-]{36}\./,
    )
    expect(await listArchivedMonths(db)).toEqual([])
  })

  it('before its days are counted, because their sums would be lost', async () => {
    await inTransaction(database.db, deleteCounts)
    await expect(putAway(10)).rejects.toThrow('it has days whose sales a worker has not counted yet')
    // Calls the function itself, as if a worker had begun a new count after that check.
    const takeOut = sql`select take_month_out(${`${monthName(10)}-01`})`.execute(database.db)
    await expect(takeOut).rejects.toThrow('are not counted yet')
    expect(await listArchivedMonths(database.db)).toEqual([])
  })

  it('before its costs are counted again, because somebody entered another one', async () => {
    await sql`insert into cost_recounts (since) values (${`${monthName(10)}-28`})`.execute(database.db)
    await expect(putAway(10)).rejects.toThrow('it has days whose costs a worker has not counted again yet')
    const takeOut = sql`select take_month_out(${`${monthName(10)}-01`})`.execute(database.db)
    await expect(takeOut).rejects.toThrow('are not counted again yet')
    await sql`update cost_recounts set since = ${`${monthName(9)}-01`}`.execute(database.db)
    await putAway(10)
  })

  it('when it breaks a rule of the audit', async () => {
    await sql`update orders set price = 1 where reference = 'old-10-5'`.execute(database.ownerDb)
    await expect(findMonth(10).then((month) => putMonthAway(deps(), month))).rejects.toThrow('price_differs_from_debit')
  })

  it('when a row is not as it was sealed: then all rows are still there, and come back', async () => {
    const { ownerDb } = database
    const partition = `transfers_${monthName(10).replace('-', '_')}`
    await sql`alter table ${sql.table(partition)} disable trigger user`.execute(ownerDb)
    await sql`update ${sql.table(partition)} set note = 'x' where cause_id = (select id from orders where reference = 'old-10-5')`.execute(
      ownerDb,
    )
    await sql`alter table ${sql.table(partition)} enable trigger user`.execute(ownerDb)
    const rows = await countRows()
    await expect(findMonth(10).then((month) => putMonthAway(deps(), month))).rejects.toThrow('are not as they were sealed')
    await bringBack(10)
    expect(await countRows()).toEqual(rows)
    expect((await audit()).chains).toMatchObject([{ what: 'row altered' }])
  })

  it('sooner than seven days after its files were written, by a login that does not own the tables', async () => {
    expect(await putMonthAway(deps(), await findMonth(10))).toBe('written')
    expect(await putMonthAway(deps(), await findMonth(10))).toBe('written')
    expect(await audit()).toEqual(inOrder)
  })
})

describe('the files of a month', () => {
  it('are proven by their hashes and by the chain; a changed byte is noticed', async () => {
    await putAway(10)
    const { db } = database
    const [archived] = await listArchivedMonths(db)
    if (!archived?.folder) throw new Error('nothing is put away')
    const total = Object.values(archived.rowCounts).reduce((sum, count) => sum + count, 0)
    expect(await verifyMonthFiles(db, archived)).toEqual({ rows: total })
    for (const name of ['transfers.parquet', 'order_events.parquet', 'manifest.json']) {
      const path = join(archived.folder, name)
      await copyFile(path, `${path}.good`)
      const bytes = await readFile(path)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await writeFile(path, bytes)
      const changed = `${path} was changed since it was written.`
      await expect(verifyMonthFiles(db, archived)).rejects.toThrow(changed)
      await expect(bringBack(10)).rejects.toThrow(changed)
      await rm(path)
      await expect(bringBack(10)).rejects.toThrow(`${path} cannot be read`)
      await copyFile(`${path}.good`, path)
    }
    await bringBack(10)
    expect(await audit()).toEqual(inOrder)
  })
})
