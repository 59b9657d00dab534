import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { untilTransactionsEnd } from '../../test/until-transactions-end.ts'
import { clearAlarms } from '../notices/clear-alarm.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'
import { verifyChain } from '../platform/chains/verify-chain.ts'
import { operatorLogChain } from '../platform/operator-log/operator-log-chain.ts'
import { chainTimers, createChainCheck, watchChains } from './chain-timers.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const openAlarms = async () => {
  const alarms = database.db.selectFrom('alarms').select(['name', 'subject']).where('cleared_at', 'is', null)
  return (await alarms.execute()).map(({ name, subject }) => `${name} ${subject}`)
}

it('a chain that is more than an hour behind raises an alarm, which clears when it has caught up', async () => {
  await watchChains(database.db, log)
  expect(await openAlarms()).toEqual([])
  await sql`update chain_states set sealed_through_at = now() - interval '61 minutes' where chain = 'transfers'`.execute(
    database.db,
  )
  await watchChains(database.db, log)
  expect(await openAlarms()).toEqual(['chain_behind transfers'])
  const timers = chainTimers(database.db, log)
  // The timers run twice. The first round only sets a mark; the second one sees that all transactions before the mark
  // have ended, and moves `sealed_through_at` to the mark.
  for (const round of [timers, timers]) {
    await untilTransactionsEnd(database.db)
    for (const timer of round) await timer.run()
  }
  expect(await openAlarms()).toEqual([])
})

it('the worker’s timers seal what was written', async () => {
  await sql`insert into operator_log (actor, action, subject) values ('ama', 'test', 'x')`.execute(database.db)
  await untilTransactionsEnd(database.db)
  for (const timer of chainTimers(database.db, log)) await timer.run()
  expect(await verifyChain(database.db, operatorLogChain)).toMatchObject({ rows: 1, finding: null })
})

it('a row that was changed is found without anybody asking, and the alarm names it', async () => {
  for (let no = 0; no < 6; no += 1) {
    await sql`insert into operator_log (actor, action, subject) values ('ama', 'test', 'x')`.execute(database.db)
    await untilTransactionsEnd(database.db)
    await sealChain(database.db, operatorLogChain, { restSeconds: 0 })
  }
  const check = createChainCheck(database.db, log, 2)
  const rounds = async (count: number) => {
    for (let no = 0; no < count; no += 1) await check()
  }
  const setActor = (actor: string) =>
    database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table operator_log disable trigger user`.execute(tx)
      await sql`update operator_log set actor = ${actor} where id = (select max(id) from operator_log)`.execute(tx)
      await sql`alter table operator_log enable trigger user`.execute(tx)
    })
  await rounds(5)
  expect(await openAlarms()).toEqual([])
  await setActor('nobody')
  await rounds(5)
  expect(await openAlarms()).toEqual(['chain_broken operator_log'])
  const { message } = await database.db
    .selectFrom('alarms')
    .select('message')
    .where('name', '=', 'chain_broken')
    .executeTakeFirstOrThrow()
  expect(message).toMatch(/^History was changed: line \d+ of block \d+, sealed at \S+Z, was altered after it was sealed\./)
  await setActor('ama')
  await clearAlarms(database.db, 'chain_broken', [])
  await rounds(5)
  expect(await openAlarms()).toEqual([])
})
