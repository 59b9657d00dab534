import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount, makeKeyFor } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { patienceSeconds, patientCallSeconds } from '../../../test/patience.ts'
import { type RunningSimulator, startSimulator } from '../../../test/start-simulator.ts'
import { startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { rateLimitsSetting } from '../../all-settings.ts'
import { readConfig } from '../../config.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { startWorker, type Worker } from '../../worker.ts'

let simulator: RunningSimulator
let app: TestApp
let worker: Worker
let key: string

beforeAll(async () => {
  simulator = await startSimulator()
  app = await startTestApp({ simulatorUrl: simulator.url, simulatorCallSeconds: patientCallSeconds })
  const unlimited = { 'POST /utilities/pay': 1_000_000, 'GET /utilities/orders/{reference}': 1_000_000 }
  await writeSetting(app.database.db, rateLimitsSetting, unlimited, 'test')
  await app.untilSeen()
  const { accountId } = await makeAccount(app.database.db, { balancePesewas: 1_000_000 })
  key = await makeKeyFor(app.database.db, accountId, 'commission')
  // On a busy machine a call may take longer than the usual second, and three silent ones would pause the routes.
  const callSeconds = String(patientCallSeconds)
  const config = readConfig({ DATA_DIR: app.dataDir, SIMULATOR_URL: simulator.url, SIMULATOR_CALL_SECONDS: callSeconds })
  worker = await startWorker(config, app.database.db, pino({ level: 'silent' }))
})
afterAll(async () => {
  await worker.stop()
  try {
    await mustPassAudit(app.database.db)
  } finally {
    await app.close()
    await simulator.stop()
  }
})

async function payWater(account: string): Promise<string> {
  const body = { biller: 'ghana_water', account, phone: '0241234567', amount: 5 }
  const answer = await app.call('POST', '/utilities/pay', { key, body })
  expect(answer.status).toBe(200)
  return answer.body.data.reference
}

/** The fewest tries of any order that cannot be paid. */
async function leastTries(): Promise<number> {
  const { rows } = await sql<{ tries: number }>`
    select count(attempt_no)::integer as tries from orders left join attempts on attempts.order_id = orders.id
    where recipient like '%932' group by orders.id order by tries limit 1`.execute(app.database.db)
  return rows[0]?.tries ?? 0
}

const pausedRoutes = () => app.database.db.selectFrom('routes').select('network').where('state', '=', 'paused').execute()

test('bills to Ghana Water whose query says 0005 pause nothing, and a good one is paid at once beside them', async () => {
  for (let n = 0; n < 8; n += 1) await payWater(`702000${n}932`)
  const paused: unknown[] = []
  const watched = async () => {
    paused.push(...(await pausedRoutes()))
    return leastTries()
  }
  await expect.poll(watched, { timeout: patienceSeconds * 1_000, interval: 200 }).toBeGreaterThanOrEqual(3)
  expect(paused).toEqual([])
  const reference = await payWater('7020001234')
  const statusOf = async (of: string) => (await app.call('GET', `/utilities/orders/${of}`, { key })).body.data.status
  await expect.poll(() => statusOf(reference), { timeout: patienceSeconds * 1_000, interval: 100 }).toBe('completed')
  expect(await pausedRoutes()).toEqual([])
})
