import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { applicant } from '../../test/applicant.ts'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { readWithinASecond } from '../../test/within-a-second.ts'
import { allSettings } from '../all-settings.ts'
import type { StaffRole } from '../people/permissions/staff-permissions.ts'
import { lockNamed, runAlone } from '../platform/database/run-alone.ts'
import { returnDueSettings } from '../platform/settings/return-due-settings.ts'
import { watchRefusedReturns } from '../timers/setting-timers.ts'

const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
const desk = new Map<string, TestBrowser>()

async function bring(name: string, role: StaffRole): Promise<void> {
  desk.set(name, await createSignedInStaff(shop, `${name}@example.test`, role, { hasSecondFactor: false }))
}

beforeAll(async () => {
  await bring('ama', 'owner')
  await bring('kofi', 'support')
  await bring('esi', 'support')
  await bring('yaw', 'auditor')
})

const as = (name: string) => desk.get(name) as TestBrowser
const read = async (path: string, name = 'ama') => (await as(name).ask('GET', `/desk/api${path}`)).body.data
const send = (path: string, body: unknown, name = 'ama') => as(name).ask('POST', `/desk/api${path}`, body)
const done = async (path: string, body: unknown, name = 'ama') => {
  const answer = await send(path, body, name)
  expect([path, answer.status, answer.body?.error?.message]).toEqual([path, 200, undefined])
  return answer.body.data
}
const refused = async (path: string, body: unknown, name = 'ama') => {
  const { status, body: said } = await send(path, body, name)
  return [status, said.error.message]
}
const logOf = (subject: string) =>
  shop.db
    .selectFrom('operator_log')
    .select(['actor', 'action', 'details'])
    .where('subject', '=', subject)
    .orderBy('id', 'desc')
    .execute()

type ShownSetting = { name: string; value: unknown; returns: { at: string; to: unknown } | null; last_change: object | null }
const settingNamed = async (name: string): Promise<ShownSetting | undefined> => {
  const { groups } = (await read('/settings', 'yaw')) as { groups: { settings: ShownSetting[] }[] }
  return groups.flatMap(({ settings }) => settings).find((each) => each.name === name)
}

describe('the switches at the desk', () => {
  it('are changed with a reason, which all see, and the API obeys within a second', async () => {
    const { key } = await shop.app.makeReseller()
    const body = { typeId: '01890000-0000-7000-8000-000000000000', quantity: 1, reference: 'switched-off' }
    const buy = async () => (await shop.app.call('POST', '/resultschecker/purchase', { key, body })).status
    expect(await buy()).toBe(404)
    const { value } = await done('/settings/results_checker_enabled', { value: false, reason: 'the council is away' })
    expect([value, await readWithinASecond(503, buy, 100)]).toEqual([false, 503])
    expect(await settingNamed('results_checker_enabled')).toMatchObject({
      field: { kind: 'switch' },
      default: true,
      last_change: { by: 'ama@example.test', before: true, after: false, reason: 'the council is away' },
    })
    const [line] = await logOf('results_checker_enabled')
    expect(line).toMatchObject({ details: { before: true, after: false, address: expect.anything() } })
    await done('/settings/results_checker_enabled', { value: true, reason: 'it is back' })
    expect(await readWithinASecond(404, buy, 100)).toBe(404)
  })

  it('return by themselves when the change says so; the return can be seen and cancelled', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await done('/settings/whitelist_gate', { value: true, reason: 'for an hour', returns_at: at })
    expect((await settingNamed('whitelist_gate'))?.returns).toMatchObject({ at, to: false, by: 'ama@example.test' })
    await done('/settings/whitelist_gate/keep', { reason: 'for good' })
    expect(await settingNamed('whitelist_gate')).toMatchObject({ value: true, returns: null, last_change: { is_kept: true } })
    const { changes } = await read('/settings/whitelist_gate/history')
    expect(changes.map(({ reason }: { reason: string }) => reason)).toEqual(['for good', 'for an hour'])
  })

  it('raise an alarm while one cannot return, and clear it when it has returned', async () => {
    const alarm = async () => {
      await sql`update setting_returns set returns_at = now(), tried_at = null where ended_at is null`.execute(shop.db)
      await returnDueSettings(shop.db, allSettings)
      await watchRefusedReturns(shop.db, pino({ level: 'silent' }))
      const open = shop.db.selectFrom('alarms').select('subject').where('name', '=', 'setting_not_returned')
      return (await open.where('cleared_at', 'is', null).execute()).map(({ subject }) => subject)
    }
    const returns_at = new Date(Date.now() + 3_600_000).toISOString()
    await done('/settings/utilities_min_amount', { value: 50, reason: 'r' })
    await done('/settings/utilities_min_amount', { value: 1, reason: 'r', returns_at })
    await done('/settings/utilities_max_amount', { value: 20, reason: 'r' })
    expect(await alarm()).toEqual(['utilities_min_amount'])
    await done('/settings/utilities_max_amount', { value: 1_000, reason: 'r' })
    expect(await alarm()).toEqual([])
    expect(await settingNamed('utilities_min_amount')).toMatchObject({ value: 50, returns: null })
  })

  it('say in the words of the setting why a value is refused', async () => {
    expect(await refused('/settings/queued_deadline_days', { value: 0, reason: 'r' })).toEqual([
      400,
      'queued_deadline_days must be a whole number of days from 1 to 365; 0 is not.',
    ])
    expect(await refused('/settings/queued_deadline_days', { value: 9, reason: ' ' })).toEqual([400, expect.any(String)])
    expect(await refused('/settings/nothing', { value: 9, reason: 'r' })).toEqual([404, 'There is no such setting.'])
    const past = { value: 9, reason: 'r', returns_at: '2026-01-01T00:00:00.000Z' }
    expect(await refused('/settings/queued_deadline_days', past)).toEqual([409, 'The time to switch back must be in the future.'])
  })

  it('hold the rates and shares of commission, too', async () => {
    await done('/commission/airtime/rates/MTN', { percent: 3, reason: 'new contract' })
    const { products } = await done('/commission/airtime/shares/agent', { percent: 62.5, reason: 'more for agents' })
    const airtime = products.find(({ product }: { product: string }) => product === 'airtime')
    expect(airtime.rates).toContainEqual({ network: 'MTN', percent: 3 })
    expect(airtime.shares).toContainEqual({ role: 'agent', percent: 62.5 })
    expect(await logOf('airtime/agent')).toMatchObject([{ details: { after: 62.5, reason: 'more for agents' } }])
    expect((await refused('/commission/airtime/rates/Nobody', { percent: 3, reason: 'r' }))[0]).toBe(404)
    expect((await refused('/commission/data/shares/agent', { percent: 3, reason: 'r' }))[0]).toBe(404)
  })
})

describe('the vouchers at the desk', () => {
  type Type = { type_id: string; name: string; available_count: number; is_low: boolean; price_agent: number }
  const typeNamed = async (name: string) => {
    const type = ((await read('/vouchers', 'yaw')).types as Type[]).find((each) => each.name === name)
    if (!type) throw new Error(`no type ${name}`)
    return type
  }
  const prices = { price_customer: 20, price_agent: 17.5, price_dealer: 16.5 }
  const make = async (name: string) => {
    await done('/vouchers/types', { name, ...prices, low_stock_count: 3 })
    return (await typeNamed(name)).type_id
  }
  const upload = async (typeId: string, text: string, query = '') => {
    const path = `/desk/api/vouchers/types/${typeId}/import${query}`
    return as('ama').ask('POST', path, text, { 'content-type': 'text/csv' })
  }
  const alarms = async () =>
    (await shop.db.selectFrom('alarms').select('subject').where('cleared_at', 'is', null).execute()).map(({ subject }) => subject)

  it('are imported after a dry run that names wrong rows and known ones by line, and the alarm of a low stock follows', async () => {
    const typeId = await make('WASSCE')
    expect(await alarms()).toContain('WASSCE')
    const wrong = (await upload(typeId, 'pin,serial\nP1,S1\n,S2\nP1,S3\n', '?dry_run=true')).body.data
    expect(wrong).toMatchObject({ is_dry_run: true, imported: 0, problem_count: 2 })
    expect(wrong.problems.map(({ line }: { line: number }) => line)).toEqual([3, 4])
    const refusedImport = await upload(typeId, 'pin,serial\nP1,S1\n,S2\n')
    expect([refusedImport.status, refusedImport.body.error.message]).toEqual([409, expect.stringContaining('line 3')])
    const file = 'pin,serial\nPIN-1,SERIAL-0001\nPIN-2,SERIAL-0002\nPIN-3,SERIAL-0003\nPIN-1,SERIAL-0001\n'
    expect((await upload(typeId, file, '?dry_run=true')).body.data).toMatchObject({ imported: 3, skipped: 1, known_lines: [5] })
    expect((await typeNamed('WASSCE')).available_count).toBe(0)
    expect((await upload(typeId, file, '?file_name=june.csv')).body.data).toMatchObject({ imported: 3, skipped: 1 })
    expect(await typeNamed('WASSCE')).toMatchObject({ available_count: 3, is_low: false })
    expect(await alarms()).not.toContain('WASSCE')
    const { batches } = await read(`/vouchers/types/${typeId}/batches`)
    expect(batches).toMatchObject([{ file_name: 'june.csv', imported_by: 'ama@example.test', imported: 3, skipped: 1, left: 3 }])
    for (const body of [{}, [1, 2], ['pin,serial']])
      expect((await send(`/vouchers/types/${typeId}/import`, body)).status).toBe(400)
  })

  it('have prices per role that hold for the next purchase, and their change stands in the log', async () => {
    const { type_id: typeId } = await typeNamed('WASSCE')
    await done(`/vouchers/types/${typeId}`, { price_agent: 18.25, reason: 'the council asks more' })
    const { key } = await shop.app.makeReseller()
    const bought = await shop.app.call('POST', '/resultschecker/purchase', {
      key,
      body: { typeId, quantity: 1, reference: 'desk-voucher-1' },
    })
    expect(bought.body.data.order.total_paid).toBe(18.25)
    expect(await logOf('WASSCE')).toMatchObject([
      { details: { reason: 'the council asks more', before: { price_agent: 'GHS 17.50' }, after: { price_agent: 'GHS 18.25' } } },
      {},
      {},
    ])
    expect((await refused(`/vouchers/types/${typeId}`, { name: 'WASSCE', price_agent: 1.005, reason: 'r' }))[0]).toBe(400)
  })

  it('are shown one at a time, with a reason, and the log never holds the PIN', async () => {
    const found = async (text: string) => (await read(`/vouchers/found?text=${text}`, 'yaw')).vouchers
    const [sold] = await found('desk-voucher-1')
    expect(sold).toMatchObject({ state: 'sold', type_name: 'WASSCE', serial_end: '0001' })
    expect(await found('SERIAL-0002')).toMatchObject([{ state: 'in_stock' }])
    const path = `/vouchers/found/${sold.voucher_id}/reveal`
    expect((await send(path, { reason: 'r' }, 'yaw')).status).toBe(403)
    expect(await done(path, { reason: 'the buyer reads it wrong' })).toMatchObject({ pin: 'PIN-1', serial_number: 'SERIAL-0001' })
    const lines = await logOf(sold.voucher_id)
    expect(lines).toMatchObject([
      { actor: 'ama@example.test', details: { reason: 'the buyer reads it wrong', serial_end: '0001' } },
    ])
    expect(JSON.stringify(lines)).not.toContain('PIN-1')
  })

  it('leave the stock by import once a second person agrees', async () => {
    const { type_id: typeId } = await typeNamed('WASSCE')
    const [batch] = (await read(`/vouchers/types/${typeId}/batches`)).batches
    expect((await send(`/vouchers/types/${typeId}/withdraw`, { reason: 'r' })).status).toBe(400)
    const wish = { batch_id: batch.batch_id, reason: 'series withdrawn' }
    expect(await done(`/vouchers/types/${typeId}/withdraw`, wish)).toMatchObject({ status: 'pending', count: 2 })
    expect((await typeNamed('WASSCE')).available_count).toBe(2)
  })
})

describe('the AFA queue at the desk', () => {
  let references = 0
  const handIn = async () => {
    const { key, accountId } = await shop.app.makeReseller()
    const reference = `desk-afa-${++references}`
    expect((await shop.app.call('POST', '/afa/register', { key, body: { reference, ...applicant } })).status).toBe(200)
    return { key, accountId, reference }
  }
  const statusOf = async ({ key, reference }: { key: string; reference: string }) =>
    (await shop.app.call('GET', `/afa/orders/${reference}`, { key })).body.data.status

  it('has what waits longest first, masked; two persons cannot claim the same, and its claimer completes it', async () => {
    const [first, second] = [await handIn(), await handIn()]
    const queue = await read('/afa', 'kofi')
    expect(queue.orders.map(({ reference }: { reference: string }) => reference)).toEqual([first.reference, second.reference])
    expect(queue).toMatchObject({
      counts: { waiting: 2, mine: 0, others: 0 },
      orders: [{ identity: { id_number: 'GHA-*******89-0', date_of_birth: '****-**-**' } }, {}],
    })
    const [onFirst, onBoth] = [await read('/afa?limit=1', 'kofi'), await read('/afa?limit=2', 'kofi')]
    expect([onFirst.next, onBoth.next]).toEqual([queue.orders[0].order_id, null])
    const claim = { references: [first.reference] }
    const both = await Promise.all([send('/afa/claim', claim, 'kofi'), send('/afa/claim', claim, 'esi')])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    const [winner, loser] = both[0].status === 200 ? ['kofi', 'esi'] : ['esi', 'kofi']
    const complete = { reference: first.reference, receipt: 'form 4711' }
    expect(await refused('/afa/complete', complete, loser)).toEqual([409, expect.stringContaining('Take it over first')])
    expect((await read('/afa?state=others', loser)).orders).toMatchObject([{ reference: first.reference, is_mine: false }])
    await done('/afa/take-over', { reference: first.reference, reason: 'at lunch' }, loser)
    expect((await logOf(first.reference))[0]).toMatchObject({
      action: 'afa take-over',
      details: { before: `${winner}@example.test`, after: `${loser}@example.test` },
    })
    await done('/afa/complete', complete, loser)
    expect(await statusOf(first)).toBe('completed')
    expect(await done('/afa/claim', { next: 5 }, 'kofi')).toEqual({ references: [second.reference] })
  })

  it('gives the fee back when one is cancelled', async () => {
    const order = await handIn()
    expect(await done('/afa/cancel', { reference: order.reference, reason: 'no such card' }, 'kofi')).toMatchObject({
      refund: 12,
    })
    expect(await statusOf(order)).toBe('cancelled')
    expect((await read('/afa?state=cancelled')).orders).toMatchObject([{ reference: order.reference, status: 'cancelled' }])
  })

  it('shows data in the clear, one or all that I claimed, to whoever gives a reason', async () => {
    const [{ reference }] = (await read('/afa?state=mine', 'kofi')).orders
    expect((await send('/afa/reveal', { reference, reason: 'r' }, 'yaw')).status).toBe(403)
    expect(await done('/afa/reveal', { reference, reason: 'to register' }, 'kofi')).toMatchObject({
      id_number: 'GHA-123456789-0',
    })
    expect((await logOf(reference))[0]).toMatchObject({ action: 'afa reveal', details: { reason: 'to register' } })
    const file = await send('/afa/export', { reason: 'batch 12' }, 'kofi')
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(file.body).toContain(`${reference},processing,Ama Mensah`)
    await runAlone(shop.db, lockNamed('makola one at a time: afa export'), async () => {
      expect((await send('/afa/export', { reason: 'batch 13' }, 'kofi')).status).toBe(409)
    })
    expect(await refused('/afa/export', { reason: 'batch 12' }, 'esi')).toEqual([
      409,
      expect.stringContaining('Claim some first'),
    ])
  })
})
