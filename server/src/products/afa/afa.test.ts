import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { afaRegions } from './afa.schemas.ts'
import { afaEnabled, afaFees } from './afa.settings.ts'
import { unsealIdentity } from './seal-identity.ts'
import { setUpAfa } from './set-up-afa.fixture.ts'

const desk = setUpAfa()
const { shop, person, register, registered, lookUp } = desk
const { balance } = shop

describe('POST /afa/register', () => {
  it.each([
    ['customer', 15],
    ['agent', 12],
    ['dealer', 10],
  ] as const)('takes the fee of a %s and answers a pending order', async (role, fee) => {
    const { key } = await shop.app.makeReseller({ role })
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
    const { key } = await shop.app.makeReseller()
    await writeSetting(shop.db, afaFees.agent, 7.35, 'test')
    const { body } = await register(key, person())
    await writeSetting(shop.db, afaFees.agent, 12, 'test')
    expect(body.data.new_balance).toBe(992.65)
  })

  it('answers 409 to any reuse of a reference, equal body or not, by anybody, and charges nothing', async () => {
    const { key } = await shop.app.makeReseller()
    const other = await shop.app.makeReseller()
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
    const { key } = await shop.app.makeReseller()
    const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: 'afa-or-data' }
    await shop.app.call('POST', '/data/purchase', { key, body: bundle })
    expect((await register(key, person({ reference: bundle.reference }))).status).toBe(409)
    const body = person()
    await register(key, body)
    expect((await shop.app.call('POST', '/data/purchase', { key, body: { ...bundle, reference: body.reference } })).status).toBe(
      409,
    )
    expect((await lookUp(key, bundle.reference)).status).toBe(404)
  })

  it('gives one of several equal requests racing on two processes its 200, and the rest 409', async () => {
    const { key } = await shop.app.makeReseller()
    const body = person()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => register(key, body, index % 2 ? shop.app : shop.second)),
    )
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
    const { key } = await shop.app.makeReseller()
    const body = person()
    const refused = await register(key, { ...body, ...change })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).not.toMatch(/123456789|1990-05/)
    expect((await register(key, body)).status).toBe(200)
  })

  it('takes every region, 100 code points of name and 500 of notes', async () => {
    const { key } = await shop.app.makeReseller()
    for (const region of afaRegions) {
      const { status } = await register(key, person({ region, full_name: '😀'.repeat(100), notes: 'ɛ'.repeat(500) }))
      expect(status).toBe(200)
    }
  })

  it('answers 400 to an applicant who is 18 tomorrow, and 200 to one who is 18 today', async () => {
    const { key } = await shop.app.makeReseller()
    const { rows } = await sql<{ today: string; tomorrow: string }>`
      select to_char((now() at time zone 'Africa/Accra')::date - interval '18 years', 'YYYY-MM-DD') as today,
        to_char((now() at time zone 'Africa/Accra')::date + 1 - interval '18 years', 'YYYY-MM-DD') as tomorrow`.execute(shop.db)
    const tooYoung = await register(key, person({ date_of_birth: rows[0]?.tomorrow }))
    expect([tooYoung.status, tooYoung.headers['x-error-reason']]).toEqual([400, 'applicant_too_young'])
    expect((await register(key, person({ date_of_birth: rows[0]?.today }))).status).toBe(200)
  })

  it('answers 400 when the balance is not enough, and keeps nothing of the person', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_199 })
    const before = await sql<{ count: number }>`select count(*) as count from afa_registrations`.execute(shop.db)
    const { status, headers } = await register(key, person())
    expect([status, headers['x-error-reason']]).toEqual([400, 'insufficient_funds'])
    const after = await sql<{ count: number }>`select count(*) as count from afa_registrations`.execute(shop.db)
    expect(after.rows).toEqual(before.rows)
  })

  it('answers 503 while switched off, but look-ups, lists and 409 go on', async () => {
    const { key, reference } = await registered()
    await writeSetting(shop.db, afaEnabled, false, 'test')
    await shop.app.untilSeen()
    const [fresh, taken, found, listed] = await Promise.all([
      register(key, person()),
      register(key, person({ reference })),
      lookUp(key, reference),
      shop.app.call('GET', '/afa/orders', { key }),
    ])
    await writeSetting(shop.db, afaEnabled, true, 'test')
    await shop.app.untilSeen()
    expect([fresh.status, taken.status, found.status, listed.status]).toEqual([503, 409, 200, 200])
  })

  it('keeps the person’s data sealed in the order’s own row, nowhere else, and unreadable in another', async () => {
    const { key, accountId } = await shop.app.makeReseller()
    const secret = { id_number: 'GHA-987654321-7', date_of_birth: '1977-03-08', full_name: 'Efua Canary' }
    const { body } = await register(key, person(secret))
    const orderId = body.data.order_id as string
    const order = await shop.db.selectFrom('orders').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow()
    expect(JSON.stringify(order)).not.toMatch(/987654321|1977|Canary/)
    const row = await shop.db
      .selectFrom('afa_registrations')
      .selectAll()
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/987654321|1977|Canary/)
    expect(unsealIdentity(desk.keys, orderId, row.identity ?? '')).toMatchObject(secret)
    expect(() => unsealIdentity(desk.keys, newId(), row.identity ?? '')).toThrow('cannot be read')
  })
})

describe('GET /afa/orders', () => {
  it('lists at most 30 of the caller’s own, newest first', async () => {
    const { key } = await shop.app.makeReseller()
    await registered()
    const placed: string[] = []
    for (let index = 0; index < 32; index += 1) {
      const body = person()
      await register(key, body)
      placed.push(body.reference)
    }
    const { body } = await shop.app.call('GET', '/afa/orders', { key })
    expect(body.data.orders.map((order: { reference: string }) => order.reference)).toEqual(placed.toReversed().slice(0, 30))
    expect(Object.keys(body.data.orders[0])).toEqual(['id', 'reference', 'status'])
  })

  it('answers another account’s registration as one that does not exist', async () => {
    const { reference } = await registered()
    const { key } = await shop.app.makeReseller()
    const foreign = await lookUp(key, reference)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual((await lookUp(key, 'nobody-knows-it')).body)
  })
})
