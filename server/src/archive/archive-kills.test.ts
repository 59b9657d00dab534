import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allAuditChecks } from '../all-audit-checks.ts'
import { allChains } from '../all-chains.ts'
import { runAudit } from '../money/audit.ts'
import { verifyChain } from '../platform/chains/verify-chain.ts'
import { listArchivedMonths } from './month-files.ts'
import { monthName, sealAndCount, writeOldSales } from './old-sales.fixture.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'makola-archive-'))
  await writeOldSales(database.ownerDb, (await makeAccount(database.db)).accountId)
  await sealAndCount(database.db)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const program = fileURLToPath(new URL('archive-process.fixture.ts', import.meta.url))
const month = monthName(10)

/** Runs a process to its end, or until it kills itself at a statement. */
async function run(act: 'put away' | 'bring back', text = '', moment = ''): Promise<void> {
  const words = [program, database.applicationUrl, folder, act, month, text, moment]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the process that should ${act} a month ended with ${code ?? signal}`)
}

/** Moves the writing of the files into the past, as if the seven days of waiting were over. */
const letWait = () =>
  sql`update put_away_months set written_at = written_at - interval '8 days' where state = 'written'`.execute(database.ownerDb)

/** Fails when a rule of the audit is broken, or a row is not as it was sealed. */
async function mustBeInOrder(): Promise<void> {
  const { checks } = await runAudit(database.db, allAuditChecks, { isFull: true })
  expect(Object.entries(checks).filter(([, bad]) => bad !== 0)).toEqual([])
  for (const chain of allChains) expect((await verifyChain(database.db, chain)).finding).toBeNull()
}

/** A hash of all rows of the tables that are put away, whatever their order. */
async function hashRows(): Promise<unknown> {
  const { rows } = await sql`
    select (select md5(string_agg(md5(transfers::text), '' order by md5(transfers::text))) from transfers) as transfers,
      (select md5(string_agg(md5(order_events::text), '' order by md5(order_events::text))) from order_events) as order_events,
      (select md5(string_agg(md5(attempts::text), '' order by md5(attempts::text))) from attempts) as attempts,
      (select md5(string_agg(md5(attempt_answers::text), '' order by md5(attempt_answers::text))) from attempt_answers) as attempt_answers`.execute(
    database.db,
  )
  return rows[0]
}

const stateOf = async () => (await listArchivedMonths(database.db)).find((each) => each.month === month)?.state

/** Parts of the statements at which the steps begin, in their order. The process kills itself at them. */
const putting = ['take_month_out(', '_away" where', 'note_month_written(', 'drop_month(']
const bringing = ['begin_bringing_back(', 'overriding system value', 'put_month_back(']

it.each(['before', 'within', 'after'])('a process that is killed %s any step loses and doubles nothing', async (moment) => {
  const before = await hashRows()
  for (const text of putting) {
    await letWait()
    await run('put away', text, moment)
    await mustBeInOrder()
  }
  await letWait()
  await run('put away')
  expect(await stateOf()).toBe('put_away')
  await mustBeInOrder()
  for (const text of bringing) {
    if ((await stateOf()) === undefined) continue
    await run('bring back', text, moment)
    await mustBeInOrder()
  }
  if ((await stateOf()) !== undefined) await run('bring back')
  expect(await stateOf()).toBeUndefined()
  expect(await hashRows()).toEqual(before)
  await mustBeInOrder()
})

it('a month that was being brought back is put away again by what is left of it', async () => {
  await run('put away')
  await letWait()
  await run('put away')
  await run('bring back', 'overriding system value', 'after')
  expect(await stateOf()).toBe('coming_back')
  await run('put away')
  expect(await stateOf()).toBe('put_away')
  await run('bring back')
  await mustBeInOrder()
})
