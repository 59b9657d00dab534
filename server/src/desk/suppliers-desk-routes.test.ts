import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { patientCallSeconds } from '../../test/patience.ts'
import { type RunningSimulator, startSimulator } from '../../test/start-simulator.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { newId } from '../platform/database/new-id.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { floatWarningGhs } from '../reports/reports.settings.ts'
import { countSupplierHours } from '../reports/suppliers/count-supplier-hours.ts'
import { setUpSuppliersDesk } from './suppliers-desk.fixture.ts'

let simulator: RunningSimulator
const desk = setUpSuppliersDesk(async () => {
  simulator = await startSimulator()
  const { url: simulatorUrl, dataDir } = simulator
  return { simulatorUrl, simulatorCallSeconds: patientCallSeconds, dataDir }
})
const { shop, ask, writeAttempts } = desk
afterAll(() => simulator.stop())

const logged = async (action: string) => {
  const { rows } = await sql<{ actor: string; details: Record<string, unknown> }>`
    select actor, details from operator_log where action = ${action} order by id desc limit 1`.execute(shop.app.database.ownerDb)
  return rows[0]
}

describe('suppliers at the desk', () => {
  it('take credentials and never show them again: in no answer and in no line of the log', async () => {
    const secret = 'a-very-secret-key'
    const change = { credentials: { apiKey: secret }, reason: 'the old one was leaked' }
    const before = await ask('GET', '/suppliers')
    const changed = await ask('POST', '/suppliers/datamart/credentials', change)
    expect(changed.data.credentials).toEqual([
      { name: 'apiKey', is_set: true, set_at: expect.stringMatching(/Z$/) },
      { name: 'webhookSecret', is_set: false, set_at: null },
    ])
    const after = await ask('GET', '/suppliers')
    const line = await logged('supplier set')
    expect(line).toMatchObject({ actor: 'owner@desk.test', details: { credentials: ['apiKey'], reason: change.reason } })
    expect(JSON.stringify([before, changed, after, line])).not.toContain(secret)
    const wrong = await ask('POST', '/suppliers/datamart/credentials', { ...change, credentials: { pin: secret } })
    expect([wrong.status, wrong.message]).toEqual([409, expect.stringContaining('has no credential pin')])
    expect(JSON.stringify(wrong)).not.toContain(secret)
    // A change of the host removes the credentials, because they were never meant for another host.
    await ask('POST', '/suppliers/datamart/settings', { base_url: 'https://first.example', reason: 'its own host' })
    expect((await ask('POST', '/suppliers/datamart/credentials', change)).data.credentials[0]).toMatchObject({ is_set: true })
    const moved = await ask('POST', '/suppliers/datamart/settings', { base_url: 'https://other.example', reason: 'moved' })
    expect(moved.data.credentials).toEqual(
      moved.data.credentials.map((each: object) => ({ ...each, is_set: false, set_at: null })),
    )
  })

  it('change with before and after in the log; an address without https is refused, and so is a setting that nobody knows', async () => {
    const reason = 'a slower account'
    const wish = { slots: 7, requests_per_second: null, settings: { minimumFloatGhs: 9 }, reason }
    const changed = await ask('POST', '/suppliers/datamart/settings', wish)
    expect(changed.data).toMatchObject({ slots: 7, settings: { minimumFloatGhs: 9 }, least_float: 9 })
    expect((await logged('supplier set'))?.details).toMatchObject({
      before: { slots: 64, 'settings.minimumFloatGhs': null, 'settings.networks': { 'AT-BigTime': 'AT_BIGTIME' } },
      after: { slots: 7, 'settings.minimumFloatGhs': 9, 'settings.networks': null },
      reason,
      address: expect.any(String),
    })
    const added = { supplier: 'added-twice', adapter: 'datamart', reason: 'new' }
    const answers = await Promise.all([1, 2, 3].map(async () => (await ask('POST', '/suppliers', added)).status))
    expect(answers.toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    for (const wrong of [{ base_url: 'http://api.example.com' }, { settings: { speed: 1 } }]) {
      expect((await ask('POST', '/suppliers/datamart/settings', { ...wrong, reason })).status).toBe(409)
    }
    expect((await ask('POST', '/suppliers/nobody/settings', { slots: 1, reason })).status).toBe(404)
    await ask('POST', '/suppliers/datamart/settings', { settings: { networks: { 'AT-BigTime': 'AT_BIGTIME' } }, reason })
  })

  it('are called without buying anything, and say what they answered and how fast', async () => {
    const good = await ask('POST', '/suppliers/datakazina/test')
    const float = { asked: 'float', result: 'good', said: expect.stringMatching(/^The float is GHS /) }
    expect(good.data).toEqual({ ...float, milliseconds: expect.any(Number) })
    const testRegistration = async (outage: string) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ outages: { 1: outage } })
      await fetch(`${simulator.url}/control/registration`, { method: 'POST', headers, body })
      return (await ask('POST', '/suppliers/registration-1/test')).data
    }
    expect(await testRegistration('unauthorised')).toMatchObject({ result: 'refused', said: expect.stringContaining('401') })
    expect(await testRegistration('garbage')).toMatchObject({ result: 'silent', said: expect.stringContaining('200') })
    expect(await testRegistration('none')).toMatchObject({ asked: 'registration', result: 'good' })
    await simulator.control({ datakazina: { outage: 'error' } })
    expect((await ask('POST', '/suppliers/datakazina/test')).data).toMatchObject({ result: 'silent' })
    await simulator.reset()
    expect((await ask('POST', '/suppliers/smsc/test')).status).toBe(409)
    expect((await logged('supplier test'))?.details).toMatchObject({ result: 'silent' })
  })

  it('show their price list beside ours, what differs first', async () => {
    type Listed = {
      result: string
      network: string
      volume_gb: number
      code_theirs: string
      cost_theirs: number
      cost_ours: number
    }
    const listed = async () => (await ask('GET', '/suppliers/datakazina/packages')).data.packages as Listed[]
    const packages = await shop.db.selectFrom('packages').select(['id', 'network', 'volume_gb']).execute()
    const known = (await listed()).flatMap((each) => {
      const ours = packages.find(({ network, volume_gb }) => network === each.network && Number(volume_gb) === each.volume_gb)
      return ours && each.network === 'MTN' ? [{ ...each, packageId: ours.id }] : []
    })
    for (const [index, { packageId, code_theirs: code, cost_theirs }] of known.slice(0, 2).entries()) {
      const cost = Math.round(cost_theirs * 100) + index
      await sql`insert into package_offers (package_id, supplier, code, cost)
        values (${packageId}, 'datakazina', ${code}, ${cost})`.execute(shop.db)
    }
    const compared = await listed()
    expect(compared[0]).toMatchObject({ result: 'cost_differs', network: 'MTN' })
    expect(compared[0]?.cost_ours).toBeCloseTo((compared[0]?.cost_theirs ?? 0) + 0.01)
    expect(compared.at(-1)).toMatchObject({ result: 'same', network: 'MTN' })
    expect((await ask('GET', '/suppliers/datamart/packages')).status).toBe(409)
  })

  it('have their float movements noted once, however often the note is sent', async () => {
    const note = { reference: newId(), amount: 500.5, note: 'transfer 77' }
    const first = await ask('POST', '/suppliers/datamart/float-movements', note, desk.finance)
    expect(await ask('POST', '/suppliers/datamart/float-movements', note, desk.finance)).toEqual(first)
    const other = await ask('POST', '/suppliers/datamart/float-movements', { ...note, amount: 5 }, desk.finance)
    expect(other.status).toBe(409)
    const { data } = await ask('GET', '/suppliers/datamart/float')
    expect(data.movements).toMatchObject([{ amount: 500.5, note: 'transfer 77', noted_by: 'finance@desk.test' }])
  })
})

describe('routes at the desk', () => {
  it('say what a pause does to the orders that wait, are paused with a reason, and opened again', async () => {
    const { accountId } = await shop.app.makeReseller()
    const { size } = await shop.db
      .selectFrom('packages')
      .innerJoin('package_offers as one', 'one.package_id', 'packages.id')
      .innerJoin('package_offers as other', 'other.package_id', 'packages.id')
      .select(sql<string>`volume_gb::float8 || 'GB'`.as('size'))
      .where('network', '=', 'MTN')
      .where('one.supplier', '=', 'datamart')
      .where('other.supplier', '=', 'datakazina')
      .limit(1)
      .executeTakeFirstOrThrow()
    const details = { network: 'MTN', size }
    await placeTestOrders(shop.db, accountId, ['0241111111', '0242222222'], {
      supplier: 'datamart',
      network: 'MTN',
      pricePesewas: 370,
      details,
    })
    const route = { supplier: 'datamart', product: 'data', network: 'MTN' }
    const asked = new URLSearchParams({ ...route, change: 'pause' }).toString()
    expect((await ask('GET', `/routes/foresight?${asked}`)).data).toEqual({
      routes: ['datamart/data/MTN'],
      waiting: [{ supplier: 'datakazina', orders: 2 }],
      is_partial: false,
      sent: 0,
      new_orders: [{ product: 'data', network: 'MTN', supplier: 'datakazina' }],
    })
    expect((await ask('POST', '/routes/pause', { ...route, reason: 'prices', minutes: 30 })).data.routes).toEqual([
      'datamart/data/MTN',
    ])
    expect((await logged('route pause'))?.details).toMatchObject({
      reason: 'prices',
      before: [{ route: 'datamart/data/MTN', state: 'open' }],
      after: [{ route: 'datamart/data/MTN', state: 'paused', reason: 'operator: prices' }],
    })
    const [shown] = (await ask('GET', '/routes?supplier=datamart')).data.routes.filter(
      ({ network }: { network: string }) => network === 'MTN',
    )
    expect(shown).toMatchObject({ state: 'paused', paused_by: 'person', paused_reason: 'prices', orders_waiting: 2, rank: 1 })
    await ask('POST', '/routes/pause', { supplier: 'datakazina', reason: 'both away' })
    const resumed = new URLSearchParams({ ...route, change: 'resume' }).toString()
    expect((await ask('GET', `/routes/foresight?${resumed}`)).data.waiting).toEqual([{ supplier: 'datamart', orders: 2 }])
    await ask('POST', '/routes/resume', { supplier: 'datakazina' })
    await ask('POST', '/routes/resume', route)
    expect((await logged('route resume'))?.details).toMatchObject({ before: [{ state: 'paused' }], after: [{ state: 'open' }] })
    expect((await ask('POST', '/routes/pause', { supplier: 'datamart', network: 'MTN', reason: 'half a name' })).status).toBe(400)
  })

  it('get another priority, with the one before in the log', async () => {
    const wish = { supplier: 'hubtel', product: 'data', network: 'MTN', priority: 5, reason: 'cheaper' }
    expect((await ask('POST', '/routes', wish)).status).toBe(200)
    expect((await logged('route add'))?.details).toMatchObject({
      before: { priority: 30 },
      after: { priority: 5 },
      reason: 'cheaper',
    })
    await ask('POST', '/routes', { ...wish, priority: 30 })
    expect((await ask('POST', '/routes', { ...wish, network: 'Nowhere' })).status).toBe(409)
  })
})

describe('the registration servers', () => {
  it('are usable while their supplier is enabled', async () => {
    const usable = async () => {
      const { data } = await ask('GET', '/registration-servers')
      return data.servers.map(({ is_usable: isUsable }: { is_usable: boolean }) => isUsable)
    }
    const enable = (isEnabled: boolean) =>
      sql`update suppliers set is_enabled = ${isEnabled} where name = 'registration-1'`.execute(shop.db)
    expect(await usable()).toEqual([true, true])
    await enable(false)
    expect(await usable()).toEqual([false, true])
    await enable(true)
  })
})

describe('the health of suppliers', () => {
  const health = async () => {
    await countSupplierHours(shop.db)
    const { data } = await ask('GET', '/suppliers/health?hours=24&supplier=hubtel')
    return data
  }

  const floatOf = async (pesewas: number | null) => {
    await sql`update suppliers set float_pesewas = ${pesewas}, float_read_at = now() where name = 'hubtel'`.execute(shop.db)
    return (await health()).floats.find(({ supplier }: { supplier: string }) => supplier === 'hubtel')
  }

  it('counts what each supplier did hour by hour, an open attempt again until it has ended, and nothing twice', async () => {
    const [open] = await writeAttempts([
      { minutesAgo: 90, outcome: 'accepted', answer: 400, cost: 1_000 },
      ...Array.from({ length: 18 }, () => ({
        minutesAgo: 90,
        outcome: 'delivered',
        answer: 500,
        delivery: 60_000,
        cost: 1_000,
      })),
      { minutesAgo: 90, outcome: 'failed', answer: 30_000 },
      ...['rejected_recipient', 'rejected_platform', 'rejected_request'].map((outcome) => ({
        minutesAgo: 90,
        outcome,
        answer: 500,
      })),
      { minutesAgo: 1, outcome: null },
    ])
    const first = (await health()).suppliers[0]
    expect(first).toMatchObject({ attempts: 24, delivered: 18, failed: 1, success: 18 / 19 })
    expect(first.outcomes).toContainEqual({ outcome: 'rejected_recipient', attempts: 1 })
    for (const [value, about] of [
      [first.answer_p50, 500],
      [first.delivery_p50, 60_000],
    ]) {
      expect(value).toBeGreaterThan(about * 0.8)
      expect(value).toBeLessThan(about * 1.2)
    }
    expect((await health()).suppliers[0]).toMatchObject({ attempts: 24, delivered: 18 })
    await sql`update attempts set outcome = 'delivered', answered_at = created_at + interval '1 minute' where order_id = ${open?.orderId}`.execute(
      shop.db,
    )
    expect((await health()).suppliers[0]).toMatchObject({ attempts: 24, delivered: 19, success: 19 / 20 })
  })

  it('takes a float that nobody has read yet for unknown, not for empty, though orders were bought from it', async () => {
    expect(await floatOf(null)).toMatchObject({ float: null, hours_left: null, is_low: false })
    const { status, data } = await ask('GET', '/needs')
    expect(status).toBe(200)
    expect(data.needs.map(({ name }: { name: string }) => name)).not.toContain('float')
  })

  it('says which float is low, here and among what needs somebody: it lasts for fewer hours than the operator wants warning for', async () => {
    // The float paid for 19 orders of GHS 10.00 in less than 3 hours and for nothing else: some GHS 60 to 130 an hour.
    expect(await floatOf(10_000_00)).toMatchObject({ is_low: false })
    const low = await floatOf(200_00)
    expect(low).toMatchObject({ is_low: true, float: 200 })
    expect(low.hours_left).toBeLessThan(24)
    const { data } = await ask('GET', '/needs')
    await writeSetting(shop.db, floatWarningGhs, 20_000, 'test')
    await shop.app.untilSeen()
    expect(await floatOf(10_000_00)).toMatchObject({ is_low: true })
    await writeSetting(shop.db, floatWarningGhs, 9_000, 'test')
    await shop.app.untilSeen()
    expect(await floatOf(10_000_00)).toMatchObject({ is_low: false })
    const need = data.needs.find(({ name }: { name: string }) => name === 'float')
    expect(need).toMatchObject({ count: 1, lines: [{ path: '/suppliers/hubtel', text: expect.stringContaining('GHS 200.00') }] })
    await sql`update suppliers set settings = settings || '{"minimumFloatGhs": 10000.01}' where name = 'hubtel'`.execute(shop.db)
    expect(await floatOf(10_000_00)).toMatchObject({ is_low: true })
    const { needs } = (await ask('GET', '/needs')).data
    const text = 'GHS 10,000.00 is left at hubtel, which counts as empty.'
    expect(needs.find(({ name }: { name: string }) => name === 'float')).toMatchObject({ count: 1, lines: [{ text }] })
    await sql`update suppliers set settings = settings - 'minimumFloatGhs' where name = 'hubtel'`.execute(shop.db)
  })
})
