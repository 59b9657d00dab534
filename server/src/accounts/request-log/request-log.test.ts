import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import Type from 'typebox'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeKeyFor } from '../../../test/make-account.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { patienceSeconds } from '../../../test/patience.ts'
import { root } from '../../../test/reading/read-sources.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { hashPersonPassword } from '../../people/auth/hash-password.ts'
import { createMember } from '../../people/manage-people.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { forgetNow } from '../../platform/forgetting/forget-now.fixture.ts'
import { sensitive } from '../../platform/http/schemas.ts'
import { openMetrics } from '../../platform/metrics/open-metrics.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { AfaRegisterBody } from '../../products/afa/afa.schemas.ts'
import { keysOf, stockVouchers } from '../../products/results-checker/stock-vouchers.fixture.ts'
import { UtilityLookup, UtilityOrder, UtilityPayment } from '../../products/utilities/utilities.schemas.ts'
import { requestLogDays, requestLogScope } from '../accounts.settings.ts'
import type { KeyType } from '../caller.ts'
import { openRequestLog } from './open-request-log.ts'
import { forgettingOfCalls } from './record-calls.ts'
import { hiddenValue, redact } from './redact.ts'
import type { CallToLog } from './redact-call.ts'

const shop = setUpPeople()
let ama: TestBrowser
let accountId: string
let keys: Record<KeyType, string>

type Call = {
  call_id: string
  path: string
  status: number
  reason: string | null
  references: string[]
  order_id: string | null
  key_hint: string
}

const listOf = async (query = '') =>
  (await ama.ask('GET', `/app/api/requests${query}`)).body.data as { calls: Call[]; next: string | null }
/** Calls the API under a new request id, and waits until the log has the call. */
async function call(method: string, path: string, options: { key: string; body?: unknown } = { key: keys.standard }) {
  const requestId = `test-${newId()}`
  const answer = await shop.app.call(method, path, { ...options, headers: { 'x-request-id': requestId } })
  const row = await vi.waitFor(
    async () => {
      const found = shop.db.selectFrom('request_log').selectAll().where('request_id', '=', requestId)
      return found.executeTakeFirstOrThrow()
    },
    { timeout: patienceSeconds * 1_000, interval: 100 },
  )
  return { answer, row }
}
const order = (reference: string) => ({ network: 'MTN', volume_gb: 1, recipient: '0241234567', reference })

beforeAll(async () => {
  const made = await shop.app.makeReseller()
  accountId = made.accountId
  const email = 'calls@example.test'
  const passwordHash = await hashPersonPassword(testPassword)
  await inTransaction(shop.db, async (tx) => {
    await createMember(tx, { email, passwordHash, account: accountId, role: 'owner', actor: 'test' })
    await creditWallet(tx, { accountId, purse: 'sms_credits', amount: 100, actor: 'test' })
  })
  ama = await shop.browser()
  await ama.ask('POST', '/app/api/sign-in', { email, password: testPassword })
  keys = {
    standard: made.key,
    commission: await makeKeyFor(shop.db, accountId, 'commission'),
    sms: await makeKeyFor(shop.db, accountId, 'sms'),
  }
})

describe('a call with a key', () => {
  it('stands in the log with its order and its bodies, and is found by reference, path, key and status', async () => {
    const { answer, row } = await call('POST', '/data/purchase', { key: keys.standard, body: order('log-1') })
    const [listed] = (await listOf('?reference=log-1')).calls
    expect(listed).toMatchObject({
      path: '/data/purchase',
      status: 200,
      reason: null,
      references: ['log-1'],
      order_id: answer.body.data.order_id,
      key_hint: keys.standard.slice(-4),
    })
    const detail = (await ama.ask('GET', `/app/api/requests/${listed?.call_id}`)).body.data
    expect(detail).toMatchObject({ request_id: row.request_id, body: order('log-1'), response: answer.body })
    for (const [query, isThere] of [
      ['?path=/data/purchase', true],
      ['?path=/data/bulk', false],
      ['?status=2xx', true],
      ['?status=4xx', false],
      [`?key_id=${row.key_id}`, true],
      [`?key_id=${newId()}`, false],
      ['?reference=log-2', false],
    ] as const) {
      const found = (await listOf(query)).calls.some(({ call_id: id }) => id === listed?.call_id)
      expect([query, found]).toEqual([query, isThere])
    }
  })

  it('to many orders is found by each of their references', async () => {
    await call('POST', '/data/bulk', {
      key: keys.standard,
      body: { orders: Array.from({ length: 25 }, (_, n) => order(`bulk-${n}`)) },
    })
    const [listed] = (await listOf('?reference=bulk-24')).calls
    expect(listed).toMatchObject({ path: '/data/bulk', order_id: null })
    const { body } = (await ama.ask('GET', `/app/api/requests/${listed?.call_id}`)).body.data
    expect(body.orders).toHaveLength(21)
    expect(body.orders[20]).toBe('… 5 more')
  })

  it('that is refused is grouped by its reason, with what to do', async () => {
    await call('POST', '/data/purchase', { key: keys.sms, body: order('log-3') })
    await call('GET', '/orders/nowhere')
    await call('GET', '/orders/nowhere-else')
    const { refused, paths } = (await ama.ask('GET', '/app/api/requests/refused')).body.data
    expect(refused).toMatchObject([
      {
        reason: 'order_not_found',
        status: 404,
        count: 2,
        fix: expect.stringContaining('reference'),
        message: expect.stringContaining('No order'),
      },
      { reason: 'wrong_key_type', status: 403, count: 1 },
    ])
    expect(paths).toEqual(expect.arrayContaining(['/data/bulk', '/data/purchase', '/orders/:reference']))
    const [latest] = (await listOf('?status=4xx')).calls
    expect(latest).toMatchObject({ reason: 'order_not_found', references: ['nowhere-else'] })
  })

  it('is seen by its owner alone, page by page', async () => {
    const first = await listOf('?limit=2')
    const second = await listOf(`?limit=2&after=${first.next}`)
    const ids = [...first.calls, ...second.calls].map(({ call_id: id }) => id)
    expect(ids).toHaveLength(4)
    expect(ids).toEqual(ids.toSorted().toReversed())
    const kofi = await shop.makeMember('kofi@example.test')
    expect((await kofi.ask('GET', '/app/api/requests')).body.data.calls).toEqual([])
    expect((await kofi.ask('GET', `/app/api/requests/${ids[0]}`)).status).toBe(404)
  })

  it('is kept when the setting says so: all, the refused alone, or none', async () => {
    await writeSetting(shop.db, requestLogScope, 'refused', 'test')
    await shop.app.untilSeen()
    await shop.app.call('GET', '/wallet/balance', { key: keys.standard, headers: { 'x-request-id': 'not-kept-1' } })
    await call('GET', '/orders/nowhere')
    await writeSetting(shop.db, requestLogScope, 'off', 'test')
    await shop.app.untilSeen()
    await shop.app.call('GET', '/orders/nowhere', { key: keys.standard, headers: { 'x-request-id': 'not-kept-2' } })
    await writeSetting(shop.db, requestLogScope, 'all', 'test')
    await shop.app.untilSeen()
    // Calls are written in the order in which they were noted. Once a later call is written, an earlier one is written
    // too, or never will be.
    await call('GET', '/wallet/balance')
    const kept = shop.db.selectFrom('request_log').select('request_id').where('request_id', 'like', 'not-kept-%')
    expect(await kept.execute()).toEqual([])
  })
})

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; $ref?: string; 'x-sensitive'?: true }
type Operation = { description: string; requestBody?: { content: Record<string, { schema: Schema; example?: object }> } }
const document = JSON.parse(readFileSync(join(root, 'contract/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const resolved = (schema: Schema): Schema => document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

/** Texts that occur nowhere else: some in forms that the fields accept, some in forms that they refuse. */
const secrets = ['GHA-987654321-0', 'Adwoa Secretname', 'pin is 4711-0815', 'secret@example.test', '1987-06-05', 'Hidden Town']

/** The example's body, with a secret in each sensitive field and in fields that nobody knows, in two forms. */
function bodiesOf(operation: Operation): object[] {
  const { schema, example } = operation.requestBody?.content['application/json'] ?? {}
  if (!schema) return []
  const fields = resolved(schema).properties ?? {}
  const marked = Object.keys(fields).filter((name) => fields[name]?.['x-sensitive'])
  const texts: Record<string, string> = {
    id_number: 'GHA-987654321-0',
    full_name: 'Adwoa Secretname',
    message: 'pin is 4711-0815',
    recipientEmail: 'secret@example.test',
    date_of_birth: '1987-06-05',
    location: 'Hidden Town',
  }
  const filled = Object.fromEntries(marked.map((name) => [name, texts[name] ?? 'Adwoa Secretname']))
  const unknown = { pin: 'pin is 4711-0815', nested: { pin: 'pin is 4711-0815' } }
  const misplaced = Object.fromEntries(Object.keys(fields).map((name) => [name, { value: secrets }]))
  return [
    { ...example, ...filled, ...unknown },
    { ...misplaced, ...unknown },
    { ...example, reference: keys.standard },
  ]
}

describe('what is sensitive', () => {
  it('and what the field does not take is no reference, also in an order of a batch', async () => {
    for (const [path, body] of [
      ['/data/purchase', order(' log-4\t')],
      ['/data/purchase', order('GHA-987654321-0')],
      ['/data/bulk', { orders: [order('GHA-987654321-0'), order('log-5')] }],
    ] as const) {
      const { row } = await call('POST', path, { key: keys.standard, body })
      expect(row.order_references).toEqual(path === '/data/bulk' ? ['log-5'] : null)
    }
  })

  it('is in no row, whichever endpoint it is sent to, and however', async () => {
    const [pin, serialNumber] = ['PIN-WAEC-1', 'SERIAL-WAEC-1']
    const { typeId } = await stockVouchers(shop.db, await keysOf(shop.app), 1, { name: 'WAEC' })
    const bought = await call('POST', '/resultschecker/purchase', {
      key: keys.standard,
      body: { typeId, quantity: 1, reference: 'vouchers-1', recipientEmail: 'secret@example.test' },
    })
    expect(JSON.stringify(bought.answer.body)).toContain(pin)
    expect(JSON.stringify(bought.row.response)).toContain(`"pin":"${hiddenValue}"`)
    await call('GET', '/resultschecker/orders/vouchers-1')
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const key =
          keys[
            /Takes an SMS/.test(operation.description)
              ? 'sms'
              : /Takes a commission/.test(operation.description)
                ? 'commission'
                : 'standard'
          ]
        const address = path.replaceAll(/\{\w+\}/g, encodeURIComponent(keys.standard))
        const query = method === 'get' ? `?pin=${encodeURIComponent('pin is 4711-0815')}` : ''
        const bodies = method === 'get' ? [undefined] : bodiesOf(operation)
        for (const body of bodies) {
          await shop.app.call(method.toUpperCase(), `${address}${query}`, { key, ...(body && { body }) })
        }
      }
    }
    await call('GET', '/wallet/balance')
    const { rows } = await sql<{ text: string }>`select request_log::text as text from request_log`.execute(shop.db)
    const all = rows.map(({ text }) => text).join('\n')
    for (const secret of [pin, serialNumber, ...secrets, ...Object.values(keys)]) expect(all).not.toContain(secret)
    for (const path of ['/afa/register', '/sms/send', '/resultschecker/purchase', '/utilities/pay', '/data/bulk'])
      expect(all).toContain(path)
  })

  it('is hidden where it was sent into the wrong field', () => {
    const sent = { reference: 'GHA-987654321-0', phone: '0241234567', region: 'Adwoa Secretname', id_type: 'Ghana Card' }
    expect(redact(AfaRegisterBody, sent)).toEqual({
      reference: hiddenValue,
      phone: '0241234567',
      region: `${hiddenValue} (16 characters that the field does not take)`,
      id_type: 'Ghana Card',
    })
  })

  it('is hidden in the answers of billers, also where an answer has several forms', () => {
    const name = 'Adwoa Secretname'
    const lookup = {
      account_name: name,
      account_number: '1',
      amount_due: 1,
      bouquet: null,
      meters: [{ name, meterNumber: '2', outstanding: 3 }],
    }
    expect(redact(UtilityLookup, lookup)).toEqual({
      ...lookup,
      account_name: hiddenValue,
      meters: [{ name: hiddenValue, meterNumber: '2', outstanding: 3 }],
    })
    expect(redact(UtilityOrder, { reference: 'r', account_name: name })).toEqual({ reference: 'r', account_name: hiddenValue })
    expect(redact(UtilityPayment, { reference: 'r', amount: 3, already_processed: true, account_name: name })).toEqual({
      reference: 'r',
      amount: 3,
      already_processed: true,
    })
  })

  it('is hidden where a field may be one of several things, and what any of them knows is kept', () => {
    const field = Type.Union([
      Type.Null(),
      Type.String({ pattern: '^[a-z]+$' }),
      Type.Array(Type.Object({ n: Type.Number(), name: Type.String(sensitive) })),
      Type.Object({ name: Type.Union([Type.String(), Type.Null()]) }),
      Type.Object({ name: Type.Union([Type.String(sensitive), Type.Null()]) }),
    ])
    const kept = (value: unknown) => redact(field, value)
    expect([kept(null), kept('word'), kept(7)]).toEqual([null, 'word', 7])
    expect(kept('Adwoa 1')).toBe(`${hiddenValue} (7 characters that the field does not take)`)
    expect(kept([{ n: 1, name: 'Adwoa', more: 'x' }])).toEqual([{ n: 1, name: hiddenValue }])
    expect(kept({ name: 'Adwoa', more: 'x' })).toEqual({ name: hiddenValue })
    expect(redact(Type.Union([Type.String(sensitive), Type.Null()]), 'Adwoa')).toBe(hiddenValue)
  })
})

describe('the log of a process', () => {
  const noted: CallToLog = {
    keyId: newId(),
    calledAt: new Date(),
    method: 'GET',
    path: '/orders/:reference',
    schema: {},
    status: 200,
    milliseconds: 1,
    requestId: 'overload',
    address: '127.0.0.1',
    reason: null,
    params: {},
    query: {},
    body: undefined,
    answer: undefined,
  }

  const settings = { read: async <T>({ defaultValue }: { defaultValue: T }) => defaultValue }

  it('keeps what it has place for, the last places for refused calls, and counts what it drops', async () => {
    const metrics = openMetrics('api')
    const log = openRequestLog({ db: shop.db, settings, log: pino({ level: 'silent' }), metrics })
    for (let n = 0; n < 600; n += 1) log.record({ ...noted, keyId: noted.keyId })
    for (let n = 0; n < 50; n += 1) log.record({ ...noted, status: 404, reason: 'order_not_found' })
    log.record({ ...noted, status: 404, answer: ' '.repeat(2_000_001) })
    await log.close()
    const rows = shop.db.selectFrom('request_log').select(['status']).where('key_id', '=', noted.keyId)
    const statuses = (await rows.execute()).map(({ status }) => status)
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 404).length]).toEqual([
      400, 50,
    ])
    expect(await metrics.read()).toMatch(
      /outcome="written",role="api"} 450\n(.|\n)*outcome="dropped",role="api"} 201|outcome="dropped",role="api"} 201\n(.|\n)*outcome="written",role="api"} 450/,
    )
  })

  it('forgets what is older than 14 days, and nothing else; a setting changes the time', async () => {
    const count = async () => (await shop.db.selectFrom('request_log').select('id').execute()).length
    const before = await count()
    const log = openRequestLog({ db: shop.db, settings, log: pino({ level: 'silent' }) })
    for (const days of [6, 13, 15, 45]) log.record({ ...noted, calledAt: new Date(Date.now() - days * 24 * 3_600_000) })
    await log.close()
    await forgetNow(shop.db, forgettingOfCalls)
    await forgetNow(shop.db, forgettingOfCalls)
    expect(await count()).toBe(before + 2)
    await writeSetting(shop.db, requestLogDays, 7, 'test')
    await forgetNow(shop.db, forgettingOfCalls)
    expect(await count()).toBe(before + 1)
  })
})
