import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringStaff } from '../../test/bring-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { type RunningSimulator, startSimulator } from '../../test/start-simulator.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { newId } from '../platform/database/new-id.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { uploadPartBytes } from '../reconciliation/keep-upload.ts'
import { floatWarningGhs } from '../reports/reports.settings.ts'
import { countSupplierHours } from '../reports/suppliers/count-supplier-hours.ts'

let simulator: RunningSimulator
const shop = setUpPeople(async () => {
  simulator = await startSimulator()
  return { simulatorUrl: simulator.url, dataDir: simulator.dataDir, isStaffTwoFactorNeeded: false }
})
afterAll(() => simulator.stop())

let owner: TestBrowser
let finance: TestBrowser
beforeAll(async () => {
  owner = await bringStaff(shop, 'owner@desk.test', 'owner', { hasSecondFactor: false })
  finance = await bringStaff(shop, 'finance@desk.test', 'finance', { hasSecondFactor: false })
})

const ask = async (method: string, path: string, body?: unknown, browser = owner) => {
  const { status, body: answered } = await browser.ask(method, `/desk/api${path}`, body)
  return { status, data: answered?.data, message: answered?.error?.message }
}
const logged = async (action: string) => {
  const { rows } = await sql<{ actor: string; details: Record<string, unknown> }>`
    select actor, details from operator_log where action = ${action} order by id desc limit 1`.execute(shop.app.database.ownerDb)
  return rows[0]
}

type Sent = { supplier?: string; minutesAgo: number; outcome: string | null; answer?: number; delivery?: number; cost?: number }

/**
 * Writes attempts as the order loop leaves them. An attempt began `minutesAgo`; `answer` and `delivery` are milliseconds
 * after its beginning.
 */
async function writeAttempts(attempts: readonly Sent[]): Promise<{ id: string; reference: string }[]> {
  const written: { id: string; reference: string }[] = []
  for (const [index, { supplier = 'hubtel', minutesAgo, outcome, answer, delivery, cost = 400 }] of attempts.entries()) {
    const at = new Date(Date.now() - minutesAgo * 60_000)
    const id = `${firstIdAt(at.getTime()).slice(0, 24)}${String(index).padStart(12, '0')}`
    const reference = `made-${newId()}`
    const later = (milliseconds: number | undefined) =>
      milliseconds === undefined ? null : new Date(at.getTime() + milliseconds)
    await sql`
      insert into attempts (id, order_id, attempt_no, supplier, outgoing_reference, send_before, created_at, outcome, answered_at, expected_cost)
      values (${id}, ${newId()}, 1, ${supplier}, ${reference}, ${at}, ${at}, ${outcome}, ${later(delivery ?? answer)}, ${cost})`.execute(
      shop.db,
    )
    if (answer !== undefined) {
      await sql`
        insert into attempt_answers (attempt_id, source, answer, evidence, created_at)
        values (${id}, 'send', 'accepted', 'taken', ${later(answer)})`.execute(shop.db)
    }
    written.push({ id, reference })
  }
  return written
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
    // The credentials were never meant for another host.
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
    const first = await ask('POST', '/suppliers/datamart/float-movements', note, finance)
    expect(await ask('POST', '/suppliers/datamart/float-movements', note, finance)).toEqual(first)
    const other = await ask('POST', '/suppliers/datamart/float-movements', { ...note, amount: 5 }, finance)
    expect(other.status).toBe(409)
    const { data } = await ask('GET', '/suppliers/datamart/float')
    expect(data.movements).toMatchObject([{ amount: 500.5, note: 'transfer 77', noted_by: 'finance@desk.test' }])
  })
})

describe('routes at the desk', () => {
  it('say what a pause does to the orders that wait, are paused with a reason, and opened again', async () => {
    const { accountId } = await shop.app.makeReseller()
    const { id: packageId } = await shop.db
      .selectFrom('package_offers as one')
      .innerJoin('package_offers as other', 'other.package_id', 'one.package_id')
      .select('one.package_id as id')
      .where('one.supplier', '=', 'datamart')
      .where('other.supplier', '=', 'datakazina')
      .limit(1)
      .executeTakeFirstOrThrow()
    const details = { network: 'MTN', volumeGb: 1, size: '1GB', packageId }
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
    await sql`update attempts set outcome = 'delivered', answered_at = created_at + interval '1 minute' where id = ${open?.id}`.execute(
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
    // The float pays for 19 orders of GHS 10.00 in less than 3 hours, and for nothing else: some GHS 60 to 130 an hour.
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

describe('a supplier’s statement at the desk', () => {
  const send = (uploadId: string, partNo: number, bytes: string) =>
    finance.ask('PUT', `/desk/api/reconcile/uploads/${uploadId}/parts/${partNo}`, bytes, {
      'content-type': 'application/octet-stream',
    })

  it('is sent in parts, compared, and its differences are assigned and closed with a word', async () => {
    const [matched, unbilled] = await writeAttempts([
      { supplier: 'datakazina', minutesAgo: 60, outcome: 'delivered', answer: 100, delivery: 200 },
      { supplier: 'datakazina', minutesAgo: 50, outcome: 'delivered', answer: 100, delivery: 200 },
    ])
    for (const attempt of [matched, unbilled]) {
      await sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details)
        select order_id, (select id from accounts limit 1), 'data', outgoing_reference, 'completed', 450, '0241234567', '{}'
        from attempts where id = ${attempt?.id}`.execute(shop.db)
    }
    const lines = [
      'Reference,Amount,Date,Note',
      `${matched?.reference},4.00,${new Date(Date.now() - 3_600_000).toISOString()},${'x'.repeat(uploadPartBytes)}`,
      `nobody-1,9.50,${new Date().toISOString()},`,
    ]
    const file = lines
      .join('\n')
      .replace('x'.repeat(uploadPartBytes), 'x'.repeat(90_000))
      .padEnd(uploadPartBytes + 100, '\n')
    const wish = { supplier: 'datakazina', file_name: 'november.csv', size: file.length }
    const begun = (await ask('POST', '/reconcile/uploads', wish, finance)).data
    expect(begun).toMatchObject({ parts: 2, part_bytes: uploadPartBytes })
    const { upload_id: id } = begun
    expect((await send(id, 1, file.slice(0, uploadPartBytes))).status).toBe(200)
    const early = await ask('POST', `/reconcile/uploads/${id}/import`, {}, finance)
    expect([early.status, early.message]).toEqual([409, expect.stringContaining('part of the file did not arrive')])
    expect((await send(id, 2, 'too short')).status).toBe(409)
    expect((await send(id, 2, file.slice(uploadPartBytes))).status).toBe(200)
    const imported = (await ask('POST', `/reconcile/uploads/${id}/import`, {}, finance)).data
    expect(imported).toMatchObject({ is_new: true, closed_differences: 0 })
    expect((await ask('GET', `/reconcile/statements/${imported.statement_id}`)).data).toMatchObject({
      lines: 2,
      matched: 1,
      matched_amount: 4,
      theirs_only: 1,
      theirs_only_amount: 9.5,
      ours_only: 1,
      ours_only_amount: 4,
      open: 2,
      imported_by: 'finance@desk.test',
      unreadable_lines: [],
    })
    expect((await ask('POST', `/reconcile/uploads/${id}/import`, {}, finance)).status).toBe(404)

    const open = (await ask('GET', '/reconcile/differences?state=open&supplier=datakazina')).data.differences
    expect(open.map(({ kind, reference }: { kind: string; reference: string }) => [kind, reference]).toSorted()).toEqual([
      ['ours_only', unbilled?.reference],
      ['theirs_only', 'nobody-1'],
    ])
    const theirs = open.find(({ kind }: { kind: string }) => kind === 'theirs_only')
    const path = `/reconcile/differences/${theirs.difference_id}`
    expect((await ask('POST', `${path}/assign`, { to: 'owner@desk.test' }, finance)).data.assigned_to).toBe('owner@desk.test')
    const mine = await ask('GET', '/reconcile/differences?assigned_to=owner@desk.test&state=open')
    expect(mine.data.differences).toHaveLength(1)
    expect((await ask('POST', `${path}/close`, { reason: 'their test order' }, finance)).data).toMatchObject({
      closed_by: 'finance@desk.test',
      close_reason: 'their test order',
    })
    expect((await ask('POST', `${path}/close`, { reason: 'once more' }, finance)).status).toBe(409)
    const { data } = await ask('GET', '/reconcile/open')
    expect(data.sums).toEqual([
      { supplier: 'datakazina', kind: 'ours_only', count: 1, unassigned: 1, amount_theirs: 0, amount_ours: 4 },
    ])
    expect(data.people.map(({ email }: { email: string }) => email)).toEqual(['owner@desk.test', 'finance@desk.test'])
    const csv = await owner.ask('GET', '/desk/api/reconcile/differences.csv?state=closed')
    expect(String(csv.body).split('\r\n')).toEqual([
      expect.stringMatching(/^supplier,kind,/),
      expect.stringContaining('their test order'),
      '',
    ])
  })

  it('is refused when it is too large, and says how to go on', async () => {
    const { status, message } = await ask('POST', '/reconcile/uploads', {
      supplier: 'datamart',
      file_name: 'year.csv',
      size: 30_000_000,
    })
    expect([status, message]).toEqual([409, expect.stringContaining('at most 10 MB')])
  })
})
