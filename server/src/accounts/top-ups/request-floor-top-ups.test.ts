import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { anHour, patienceSeconds } from '../../../test/patience.ts'
import { setByTwoPeople } from '../../../test/set-by-two-people.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { type RunningSimulator, startSimulator } from '../../../test/start-simulator.ts'
import { topUpSettings } from '../../money/top-ups/top-ups.settings.ts'
import { findFreePort } from '../../platform/find-free-port.ts'
import type { Setting } from '../../platform/settings/settings.ts'
import { requestFloorTopUps } from './request-floor-top-ups.ts'

const log = pino({ level: 'silent' })
let simulator: RunningSimulator
const shop = setUpPeople(async () => {
  const port = await findFreePort('127.0.0.1')
  simulator = await startSimulator({ callbackBaseUrl: `https://localhost:${port}`, timeScale: 0.1 })
  return { port, dataDir: simulator.dataDir, simulatorUrl: simulator.url }
})

const control = (method: string, path = '', change?: object) =>
  fetch(`${simulator.url}/control/mtn-momo${path}`, {
    method,
    ...(change && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) }),
  })

let ama: TestBrowser
let accountId: string
let made = 0

beforeEach(async () => {
  made += 1
  ama = await shop.makeMember(`ama-${made}@example.test`)
  accountId = (await ama.ask('GET', '/app/api/me')).body.data.account.account_id
  // Nobody approves before the test does so.
  await control('POST', '', { approvalMilliseconds: anHour })
})
afterEach(async () => {
  await control('DELETE')
  await shop.db.deleteFrom('balance_floors').execute()
})
afterAll(async () => {
  await mustPassAudit(shop.db)
  await simulator.stop()
})

const wish = { floor: 20, amount: 100, phone: '0241230001', most_per_day: 3 }
const choose = (changes: object = {}) => ama.ask('PUT', '/app/api/balance-floor', { ...wish, ...changes })

const ask = async () => {
  const { db, people } = shop
  await requestFloorTopUps({ db, log, gateways: people.gateways, settings: people.settings })
}

const topUps = () =>
  shop.db
    .selectFrom('top_ups')
    .select(['id', 'way', 'state', 'amount', 'fee', 'payer_phone', 'made_by', 'is_by_floor'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
const noticesOf = async (kind: string) =>
  (await shop.db.selectFrom('reseller_notices').select(['kind', 'body']).where('account_id', '=', accountId).execute()).filter(
    (notice) => notice.kind === kind,
  )

/** Ends the last top-up as a phone that declines. */
async function decline(): Promise<void> {
  const [last] = (await topUps()).slice(-1)
  await control('POST', '/decisions')
  await vi.waitFor(
    async () => {
      await shop.people.gateways.verifyNow(last?.id ?? '')
      expect((await topUps()).at(-1)?.state).toBe('failed')
    },
    { timeout: patienceSeconds * 1_000, interval: 100 },
  )
}

const letHoursPass = (hours: number) =>
  sql`update top_ups set ended_at = ended_at - make_interval(hours => ${hours}) where account_id = ${accountId}`.execute(shop.db)

const dailyLimit = topUpSettings.find(({ name }) => name === 'top_up_daily_limit') as Setting<number>
const limitDays = (ghs: number) => setByTwoPeople(shop.db, dailyLimit, ghs)

describe('a balance floor', () => {
  it('is off until an owner chooses it: then the phone is asked, as for a top-up by hand, and a notice tells it', async () => {
    await ask()
    expect(await topUps()).toEqual([])
    expect((await ama.ask('GET', '/app/api/balance-floor')).body.data).toMatchObject({ is_offered: true, floor: null })
    expect((await choose()).body.data.floor).toMatchObject(wish)
    await ask()
    expect(await topUps()).toMatchObject([
      { way: 'mtn-momo', state: 'pending', amount: 10_000, fee: 199, payer_phone: wish.phone, is_by_floor: true },
    ])
    expect(await noticesOf('floor_asked')).toMatchObject([
      { body: expect.stringContaining('ending in 001 is asked for GHS 101.99') },
    ])
  })

  it('asks once, whatever workers there are, and never while a top-up is open', async () => {
    await choose()
    await Promise.all([ask(), ask(), ask()])
    await ask()
    expect(await topUps()).toHaveLength(1)
  })

  it('asks nobody while the balance is at the floor, and the approved money ends the asking', async () => {
    await choose()
    await ask()
    await control('POST', '/decisions')
    await vi.waitFor(async () => expect((await topUps()).map(({ state }) => state)).toEqual(['credited']), {
      timeout: patienceSeconds * 1_000,
      interval: 50,
    })
    await ask()
    expect(await topUps()).toHaveLength(1)
    // The balance is GHS 100 now.
    await choose({ floor: 100 })
    await ask()
    expect(await topUps()).toHaveLength(1)
    await choose({ floor: 100.01 })
    await ask()
    expect(await topUps()).toHaveLength(2)
  })

  it('rests for hours after a request was declined, and asks at most as often a day as was chosen', async () => {
    await choose({ most_per_day: 2, phone: '0241230931' })
    await ask()
    await decline()
    await ask()
    expect(await topUps()).toHaveLength(1)
    await letHoursPass(3)
    await ask()
    expect(await topUps()).toHaveLength(2)
    await decline()
    await letHoursPass(3)
    await ask()
    expect(await topUps()).toHaveLength(2)
  })

  it('tells once a day that the phone cannot be asked, and tries again after some minutes', async () => {
    await choose({ amount: 10_000 })
    await limitDays(50)
    await shop.app.untilSeen()
    await ask()
    await ask()
    expect(await topUps()).toEqual([])
    expect(await noticesOf('floor_not_asked')).toMatchObject([{ body: expect.stringContaining('Left for today: GHS 50.00') }])
    await limitDays(20_000)
    await shop.app.untilSeen()
    await ask()
    expect(await topUps()).toEqual([])
    await sql`update balance_floors set tried_at = tried_at - interval '10 minutes'`.execute(shop.db)
    await ask()
    expect(await topUps()).toHaveLength(1)
  })

  it('asks nobody for a suspended account, nor after it was switched off', async () => {
    await choose()
    await sql`update accounts set status = 'suspended' where id = ${accountId}`.execute(shop.db)
    await ask()
    expect(await topUps()).toEqual([])
    await sql`update accounts set status = 'active' where id = ${accountId}`.execute(shop.db)
    expect((await ama.ask('DELETE', '/app/api/balance-floor')).body.data.floor).toBeNull()
    await ask()
    expect(await topUps()).toEqual([])
  })

  it('is chosen three times at the same moment, and each choice is answered', async () => {
    for (const floor of [20, 30, 40]) {
      const answers = await Promise.all([choose({ floor }), choose({ floor }), choose({ floor })])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    expect((await ama.ask('GET', '/app/api/balance-floor')).body.data.floor).toMatchObject({ floor: 40 })
  })

  it('400: an amount that no top-up may have, or a number that is none', async () => {
    expect((await choose({ amount: 0.5 })).headers['x-error-reason']).toBe('amount_outside')
    for (const wrong of [{ phone: '024123' }, { most_per_day: 0 }, { floor: 0 }, { floor: 1.234 }]) {
      expect((await choose(wrong)).status).toBe(400)
    }
    expect((await ama.ask('GET', '/app/api/balance-floor')).body.data.floor).toBeNull()
  })
})
