import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Refuses new connections to the test's database while `work` runs. */
async function whileClosed(work: () => Promise<unknown>): Promise<void> {
  const name = sql.id(new URL(app.database.ownerUrl).pathname.slice(1))
  await sql`alter database ${name} connection limit 0`.execute(app.database.ownerDb)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'makola api%'`.execute(app.database.db)
  await work()
  await sql`alter database ${name} connection limit -1`.execute(app.database.ownerDb)
}

async function untilCommitWaits(): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(app.database.ownerDb)
        ).rows.length,
    )
    .toBe(1)
}

it('a purchase that is committed before the database goes away never says that nothing was charged', async () => {
  const { ownerDb, db } = app.database
  await sql`create function wait_in_commit() returns trigger language plpgsql security definer set lock_timeout = 0 as $$
    begin perform pg_advisory_xact_lock_shared(20); return null; end $$`.execute(ownerDb)
  await sql`create constraint trigger wait_in_commit after insert on orders deferrable initially deferred
    for each row execute function wait_in_commit()`.execute(ownerDb)
  const { typeId } = await stockVouchers(db, await keysOf(app), 1)
  const { key } = await app.makeReseller()
  const body = { typeId, quantity: 1, reference: 'unread' }
  const buy = () => app.call('POST', '/resultschecker/purchase', { key, body })
  // The connections that the purchase and its commit need are there before the database is closed.
  expect((await app.call('GET', '/wallet/balance', { key })).status).toBe(200)
  const answer = await ownerDb.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(20)`.execute(holder)
    const buying = buy()
    await untilCommitWaits()
    await whileClosed(async () => {
      await sql`select pg_advisory_unlock(20)`.execute(holder)
      await buying
    })
    return buying
  })
  expect(answer).toMatchObject({ status: 503, headers: { 'x-error-reason': 'outcome_unknown' } })
  expect(answer.body.error.message).not.toMatch(/charged nothing|nothing was charged/i)
  await expect.poll(async () => (await buy()).status).toBe(200)
  expect((await buy()).headers).toHaveProperty('idempotent-replayed', 'true')
})

it('503: the next try of a purchase in doubt says of itself alone that it charged nothing', async () => {
  const { typeId } = await stockVouchers(app.database.db, await keysOf(app), 1)
  const { key } = await app.makeReseller()
  const body = { typeId, quantity: 1, reference: 'in doubt' }
  const buy = () => app.call('POST', '/resultschecker/purchase', { key, body })
  const [first, second] = await app.database.ownerDb.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(20)`.execute(holder)
    const answers = [await buy(), await buy()] as const
    await sql`select pg_advisory_unlock(20)`.execute(holder)
    return answers
  })
  expect(first).toMatchObject({ status: 503, headers: { 'x-error-reason': 'outcome_unknown' } })
  expect(second.status).toBe(503)
  expect(second.body.error.message).toMatch(/an earlier one with the same reference may have|could not be learnt/)
  // The first try did charge.
  await expect.poll(async () => (await buy()).headers).toHaveProperty('idempotent-replayed', 'true')
})
