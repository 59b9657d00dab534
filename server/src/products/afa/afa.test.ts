import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startTestApp, type TestApi, type TestApp } from '../../../test/start-test-app.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import { askOrderNow } from '../../orders/ask-order-now.ts'
import { listDueRoutes } from '../../orders/claim-open-orders.ts'
import { listOrders } from '../../orders/list-orders.ts'
import { raiseStuckAlarms } from '../../orders/raise-stuck-alarms.ts'
import { settleByPeople } from '../../orders/settle-by-people.ts'
import { newId } from '../../platform/database/new-id.ts'
import { rateLimitsSetting } from '../../platform/http/http.settings.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { afaRegions } from './afa.schemas.ts'
import { afaEnabled, afaFees, afaIdentityDays, afaRefundOnCancel } from './afa.settings.ts'
import { exportRegistrations } from './export-registrations.ts'
import { listRegistrations, maskIdentity } from './list-registrations.ts'
import { purgeIdentities } from './purge-identities.ts'
import { openIdentity } from './seal-identity.ts'
import {
  cancelRegistration,
  claimNextRegistrations,
  claimRegistration,
  completeRegistration,
  RegistrationStateError,
} from './work-registrations.ts'

let app: TestApp
let second: TestApi
let keys: SecretsKeys
let references = 0
const log = pino({ level: 'silent' })
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000))

beforeAll(async () => {
  app = await startTestApp()
  second = await app.startAnother()
  keys = await loadSecretsKeys({ secretsKey: undefined, databaseUrl: undefined, dataDir: app.dataDir })
  await writeSetting(app.database.db, rateLimitsSetting, { 'POST /afa/register': 10_000 }, 'test')
  await aSecond()
})
afterAll(() => app.close())

const newReference = () => `afa-${++references}`
const person = (more: object = {}) => ({
  reference: newReference(),
  full_name: 'Ama Mensah',
  phone: '0241234567',
  id_type: 'Ghana Card',
  id_number: 'GHA-123456789-0',
  date_of_birth: '1990-05-17',
  region: 'Greater Accra',
  location: 'Madina',
  ...more,
})
const register = (key: string, body: unknown, api: TestApi = app): Promise<Answer> =>
  api.call('POST', '/afa/register', { key, body })
const lookUp = (key: string, reference: string) => app.call('GET', `/afa/orders/${reference}`, { key })
const balance = async (key: string): Promise<number> => (await app.call('GET', '/wallet/balance', { key })).body.data.balance
const word = (reference: string, reason: string | null = 'because') => ({ reference, reason, by: 'ama' })

async function registered(): Promise<{ key: string; reference: string; orderId: string }> {
  const { key } = await app.makeReseller()
  const body = person()
  const answer = await register(key, body)
  expect(answer.status).toBe(200)
  return { key, reference: body.reference, orderId: answer.body.data.order_id }
}

describe('POST /afa/register', () => {
  it.each([
    ['customer', 15],
    ['agent', 12],
    ['dealer', 10],
  ] as const)('takes the fee of a %s and answers a pending order', async (role, fee) => {
    const { key } = await app.makeReseller({ role })
    const body = person({ notes: 'calls after six' })
    const { status, body: answer } = await register(key, body)
    expect(status).toBe(200)
    expect(answer.data).toEqual({
      order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reference: body.reference,
      status: 'pending',
      new_balance: 1_000 - fee,
    })
    expect((await lookUp(key, body.reference)).body.data).toEqual({
      id: answer.data.order_id,
      reference: body.reference,
      status: 'pending',
    })
  })

  it('follows a fee that the operator changes at once', async () => {
    const { key } = await app.makeReseller()
    await writeSetting(app.database.db, afaFees.agent, 7.35, 'test')
    const { body } = await register(key, person())
    await writeSetting(app.database.db, afaFees.agent, 12, 'test')
    expect(body.data.new_balance).toBe(992.65)
  })

  it('answers 409 to any reuse of a reference, equal body or not, by anybody, and charges nothing', async () => {
    const { key } = await app.makeReseller()
    const other = await app.makeReseller()
    const body = person()
    await register(key, body)
    for (const [who, again] of [
      [key, body],
      [key, person({ reference: body.reference, full_name: 'Kofi' })],
      [other.key, body],
    ] as const) {
      const { status, headers } = await register(who, again)
      expect([status, headers['x-error-reason']]).toEqual([409, 'reference_taken'])
    }
    expect(await balance(key)).toBe(988)
    expect(await balance(other.key)).toBe(1_000)
  })

  it('answers 409 to a reference that a data order holds, and the reverse', async () => {
    const { key } = await app.makeReseller()
    const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: newReference() }
    await app.call('POST', '/data/purchase', { key, body: bundle })
    expect((await register(key, person({ reference: bundle.reference }))).status).toBe(409)
    const body = person()
    await register(key, body)
    expect((await app.call('POST', '/data/purchase', { key, body: { ...bundle, reference: body.reference } })).status).toBe(409)
    expect((await lookUp(key, bundle.reference)).status).toBe(404)
  })

  it('gives one of several equal requests racing on two processes its 200, and the rest 409', async () => {
    const { key } = await app.makeReseller()
    const body = person()
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => register(key, body, index % 2 ? app : second)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 15 }, () => 409)])
    expect(await balance(key)).toBe(988)
  })

  it.each([
    ['no reference', { reference: undefined }],
    ['a reference of 2 characters', { reference: 'ab' }],
    ['a reference of 101 characters', { reference: 'r'.repeat(101) }],
    ['a reference with a control character', { reference: 'a\u0007bc' }],
    ['no name', { full_name: undefined }],
    ['a blank name', { full_name: '  ' }],
    ['a name of 101 characters', { full_name: 'n'.repeat(101) }],
    ['a phone of 9 digits', { phone: '024123456' }],
    ['a phone in the international form', { phone: '233241234567' }],
    ['another kind of card', { id_type: 'Passport' }],
    ['a kind of card in lower case', { id_type: 'ghana card' }],
    ['a card number without its prefix', { id_number: '123456789-0' }],
    ['a card number of 8 digits', { id_number: 'GHA-12345678-0' }],
    ['a card number with letters', { id_number: 'GHA-12345678a-0' }],
    ['a card number in lower case', { id_number: 'gha-123456789-0' }],
    ['a card number with something behind it', { id_number: 'GHA-123456789-0\n' }],
    ['the contract’s pattern taken literally', { id_number: 'GHA-\\d{9}-\\d' }],
    ['a date that does not exist', { date_of_birth: '1990-02-30' }],
    ['a 29 February of a common year', { date_of_birth: '1991-02-29' }],
    ['a date with a time', { date_of_birth: '1990-05-17T00:00:00Z' }],
    ['a date the other way round', { date_of_birth: '17-05-1990' }],
    ['a region that is none', { region: 'Brong Ahafo' }],
    ['no location', { location: undefined }],
    ['a location of 101 characters', { location: 'l'.repeat(101) }],
    ['notes of 501 characters', { notes: 'n'.repeat(501) }],
  ])('answers 400 for %s, and leaves the reference free', async (_, change) => {
    const { key } = await app.makeReseller()
    const body = person()
    const refused = await register(key, { ...body, ...change })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).not.toMatch(/123456789|1990-05/)
    expect((await register(key, body)).status).toBe(200)
  })

  it('takes every region, 100 code points of name and 500 of notes', async () => {
    const { key } = await app.makeReseller()
    for (const region of afaRegions) {
      const { status } = await register(key, person({ region, full_name: '😀'.repeat(100), notes: 'ɛ'.repeat(500) }))
      expect(status).toBe(200)
    }
  })

  it('answers 400 to an applicant who is 18 tomorrow, and 200 to one who is 18 today', async () => {
    const { key } = await app.makeReseller()
    const { rows } = await sql<{ today: string; tomorrow: string }>`
      select to_char((now() at time zone 'Africa/Accra')::date - interval '18 years', 'YYYY-MM-DD') as today,
        to_char((now() at time zone 'Africa/Accra')::date + 1 - interval '18 years', 'YYYY-MM-DD') as tomorrow`.execute(
      app.database.db,
    )
    const tooYoung = await register(key, person({ date_of_birth: rows[0]?.tomorrow }))
    expect([tooYoung.status, tooYoung.headers['x-error-reason']]).toEqual([400, 'applicant_too_young'])
    expect((await register(key, person({ date_of_birth: rows[0]?.today }))).status).toBe(200)
  })

  it('answers 400 when the balance is not enough, and keeps nothing of the person', async () => {
    const { key } = await app.makeReseller({ balancePesewas: 1_199 })
    const before = await sql<{ count: number }>`select count(*) as count from afa_registrations`.execute(app.database.db)
    const { status, headers } = await register(key, person())
    expect([status, headers['x-error-reason']]).toEqual([400, 'insufficient_funds'])
    const after = await sql<{ count: number }>`select count(*) as count from afa_registrations`.execute(app.database.db)
    expect(after.rows).toEqual(before.rows)
  })

  it('answers 503 while switched off, but look-ups, lists and 409 go on', async () => {
    const { key, reference } = await registered()
    await writeSetting(app.database.db, afaEnabled, false, 'test')
    await aSecond()
    const [fresh, taken, found, listed] = await Promise.all([
      register(key, person()),
      register(key, person({ reference })),
      lookUp(key, reference),
      app.call('GET', '/afa/orders', { key }),
    ])
    await writeSetting(app.database.db, afaEnabled, true, 'test')
    await aSecond()
    expect([fresh.status, taken.status, found.status, listed.status]).toEqual([503, 409, 200, 200])
  })

  it('keeps the person’s data sealed in the order’s own row, nowhere else, and unreadable in another', async () => {
    const { key, accountId } = await app.makeReseller()
    const secret = { id_number: 'GHA-987654321-7', date_of_birth: '1977-03-08', full_name: 'Efua Canary' }
    const { body } = await register(key, person(secret))
    const orderId = body.data.order_id as string
    const order = await app.database.db
      .selectFrom('orders')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(order)).not.toMatch(/987654321|1977|Canary/)
    const row = await app.database.db
      .selectFrom('afa_registrations')
      .selectAll()
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/987654321|1977|Canary/)
    expect(openIdentity(keys, orderId, row.identity ?? '')).toMatchObject(secret)
    expect(() => openIdentity(keys, newId(), row.identity ?? '')).toThrow('cannot be read')
  })
})

describe('GET /afa/orders', () => {
  it('lists at most 30 of the caller’s own, newest first', async () => {
    const { key } = await app.makeReseller()
    await registered()
    const placed: string[] = []
    for (let index = 0; index < 32; index += 1) {
      const body = person()
      await register(key, body)
      placed.push(body.reference)
    }
    const { body } = await app.call('GET', '/afa/orders', { key })
    expect(body.data.orders.map((order: { reference: string }) => order.reference)).toEqual(placed.toReversed().slice(0, 30))
    expect(Object.keys(body.data.orders[0])).toEqual(['id', 'reference', 'status'])
  })

  it('answers another account’s registration as one that does not exist', async () => {
    const { reference } = await registered()
    const { key } = await app.makeReseller()
    const foreign = await lookUp(key, reference)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual((await lookUp(key, 'nobody-knows-it')).body)
  })
})

describe('the operator’s desk', () => {
  it('moves a registration from pending to processing to completed, each once, with who did it', async () => {
    const { key, reference, orderId } = await registered()
    await expect(completeRegistration(app.database.db, word(reference))).rejects.toThrow('Claim it first')
    await claimRegistration(app.database.db, reference, 'ama')
    expect((await lookUp(key, reference)).body.data.status).toBe('processing')
    await expect(claimRegistration(app.database.db, reference, 'kofi')).rejects.toThrow(RegistrationStateError)
    await completeRegistration(app.database.db, word(reference, 'form 4711'))
    expect((await lookUp(key, reference)).body.data.status).toBe('completed')
    await expect(cancelRegistration(app.database.db, word(reference))).rejects.toThrow('is completed already')
    const events = await app.database.db
      .selectFrom('order_events')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('event_no')
      .execute()
    expect(events.map((event) => [event.from_status, event.to_status, event.actor, event.reason])).toEqual([
      ['pending', 'processing', 'ama', null],
      ['processing', 'completed', 'ama', 'form 4711'],
    ])
    const trail = await app.database.db
      .selectFrom('operator_log')
      .select('action')
      .where('subject', '=', reference)
      .orderBy('id')
      .execute()
    expect(trail.map(({ action }) => action)).toEqual(['afa claim', 'afa complete'])
    expect(await balance(key)).toBe(988)
  })

  it.each(['pending', 'processing'])('credits the fee back, once, when it cancels one that is %s', async (state) => {
    const { key, reference, orderId } = await registered()
    if (state === 'processing') await claimRegistration(app.database.db, reference, 'kofi')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => cancelRegistration(app.database.db, word(reference))),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: 1_200 }])
    expect(await balance(key)).toBe(1_000)
    expect((await lookUp(key, reference)).body.data.status).toBe('cancelled')
    const { rows } = await sql`select from open_orders where order_id = ${orderId}`.execute(app.database.db)
    expect(rows).toEqual([])
  })

  it('keeps the fee when afa_refund_on_cancel is off', async () => {
    const { key, reference } = await registered()
    await writeSetting(app.database.db, afaRefundOnCancel, false, 'test')
    expect(await cancelRegistration(app.database.db, word(reference))).toBe(0)
    await writeSetting(app.database.db, afaRefundOnCancel, true, 'test')
    expect(await balance(key)).toBe(988)
  })

  it('lets one of a completion and a cancellation that race win', async () => {
    const { key, reference } = await registered()
    await claimRegistration(app.database.db, reference, 'ama')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 ? cancelRegistration(app.database.db, word(reference)) : completeRegistration(app.database.db, word(reference)),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    const { status } = (await lookUp(key, reference)).body.data
    expect(await balance(key)).toBe(status === 'cancelled' ? 1_000 : 988)
  })

  it('gives people who take the next ones at once different registrations, the oldest first', async () => {
    await claimNextRegistrations(app.database.db, 100, 'earlier')
    const placed: string[] = []
    for (let index = 0; index < 6; index += 1) placed.push((await registered()).reference)
    const taken = await Promise.all(['ama', 'kofi', 'esi'].map((by) => claimNextRegistrations(app.database.db, 2, by)))
    expect(taken.flat().toSorted()).toEqual(placed.toSorted())
    expect(await claimNextRegistrations(app.database.db, 5, 'ama')).toEqual([])
  })

  it('is where registrations wait: no worker takes them, no alarm misses a supplier, nobody settles them elsewhere', async () => {
    const { reference, orderId } = await registered()
    expect(await listDueRoutes(app.database.db)).not.toContain('operator/afa')
    expect(await askOrderNow(app.database.db, { id: orderId, reference }, 'test')).toBe(false)
    await raiseStuckAlarms(app.database.db, log)
    const alarms = await app.database.db.selectFrom('alarms').select('subject').execute()
    expect(alarms.filter(({ subject }) => subject.includes('afa'))).toEqual([])
    const settled = await settleByPeople(app.database.db, { orderId, outcome: 'failed', evidence: 'x', by: 'ama' })
    expect(settled).toMatchObject({ state: 'refused', why: expect.stringContaining('makola afa') })
    const listed = await listOrders(app.database.db, { isStuckOnly: false, limit: 1_000 })
    expect(listed.find((order) => order.id === orderId)).toMatchObject({ route: 'operator/afa', nextStepAt: null })
  })

  it('masks the card’s number and the date of birth', async () => {
    const { reference } = await registered()
    const [registration] = await listRegistrations(app.database.db, keys, { statuses: ['pending'], reference, limit: 1 })
    const identity = registration?.identity
    expect(identity && maskIdentity(identity)).toMatchObject({ id_number: 'GHA-*******89-0', date_of_birth: '****-**-**' })
  })

  it('exports cells that no spreadsheet takes for a formula', async () => {
    const { key } = await app.makeReseller()
    const body = person({ full_name: '=cmd()', location: 'Osu, "RE"', notes: '+1' })
    await register(key, body)
    const found = await listRegistrations(app.database.db, keys, { statuses: ['pending'], reference: body.reference, limit: 1 })
    const [, row] = exportRegistrations(found).split('\r\n')
    expect(row).toContain(
      `${body.reference},pending,'=cmd(),0241234567,Ghana Card,GHA-123456789-0,1990-05-17,Greater Accra,"Osu, ""RE""",'+1,`,
    )
  })

  it('deletes identity data some time after the end, and the order stays', async () => {
    const ended = await registered()
    const open = await registered()
    await cancelRegistration(app.database.db, word(ended.reference))
    await writeSetting(app.database.db, afaIdentityDays, 30, 'test')
    const age = (days: number) =>
      sql`update orders set updated_at = now() - make_interval(days => ${days}) where id in (${ended.orderId}, ${open.orderId})`.execute(
        app.database.db,
      )
    const identities = async () => {
      const rows = await app.database.db
        .selectFrom('afa_registrations')
        .select(['order_id', 'identity'])
        .where('order_id', 'in', [ended.orderId, open.orderId])
        .execute()
      return new Map(rows.map((row) => [row.order_id, row.identity !== null]))
    }
    await age(29)
    await purgeIdentities(app.database.db, log)
    expect((await identities()).get(ended.orderId)).toBe(true)
    await age(31)
    await purgeIdentities(app.database.db, log)
    expect(await identities()).toEqual(
      new Map([
        [ended.orderId, false],
        [open.orderId, true],
      ]),
    )
    expect((await lookUp(ended.key, ended.reference)).body.data.status).toBe('cancelled')
    const [purged] = await listRegistrations(app.database.db, keys, {
      statuses: ['cancelled'],
      reference: ended.reference,
      limit: 1,
    })
    expect(purged?.identity).toBeUndefined()
  })
})

it('the audit finds nothing wrong after all of this', async () => {
  const { checks } = await runAudit(app.database.db, allAuditChecks, { isFull: true })
  expect(checks).toEqual(Object.fromEntries(Object.keys(checks).map((name) => [name, 0])))
})
