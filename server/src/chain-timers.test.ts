import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { untilTransactionsEnd } from '../test/until-transactions-end.ts'
import { chainTimers, watchChains } from './chain-timers.ts'
import { verifyChain } from './platform/chains/verify-chain.ts'
import { operatorLogChain } from './platform/operator-log/operator-log-chain.ts'

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
  // Two rounds: only the second one knows that everything the first one saw is sealed.
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
