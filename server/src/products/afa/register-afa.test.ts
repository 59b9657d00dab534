import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { untilPast } from '../../../test/until-past.ts'
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
  ] as const)('200: takes the fee of a %s and answers a pending order', async (role, fee) => {
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

  it('200: follows a fee that the operator changes at once', async () => {
    const { key } = await shop.app.makeReseller()
    await writeSetting(shop.db, afaFees.agent, 7.35, 'test')
    const { body } = await register(key, person())
    await writeSetting(shop.db, afaFees.agent, 12, 'test')
    expect(body.data.new_balance).toBe(992.65)
  })

  it('200: takes the fee of a customer from an agent whose role has expired', async () => {
    const soon = new Date(Date.now() + 500)
    const { key } = await shop.app.makeReseller({ role: 'agent', roleExpiresAt: soon })
    await untilPast(shop.db, soon)
    expect((await register(key, person({ reference: 'expired' }))).body.data.new_balance).toBe(985)
  })

  it.each(['afa', 'r'.repeat(100), 'a/b?c=d%20 e'])(
    '200: takes the reference %s, by which the registration is looked up',
    async (reference) => {
      const { key } = await shop.app.makeReseller()
      const { status, body } = await register(key, person({ reference }))
      expect(status).toBe(200)
      const found = await shop.app.call('GET', `/afa/orders/${encodeURIComponent(reference)}`, { key })
      expect(found.body.data).toEqual({ id: body.data.order_id, reference, status: 'pending' })
    },
  )

  it('200: takes every region, 100 code points of name and 500 of notes', async () => {
    const { key } = await shop.app.makeReseller()
    for (const region of afaRegions) {
      const { status } = await register(key, person({ region, full_name: '😀'.repeat(100), notes: 'ɛ'.repeat(500) }))
      expect(status).toBe(200)
    }
  })

  it('200: takes names as people write them, and null notes as none', async () => {
    const { key } = await shop.app.makeReseller()
    for (const full_name of ['Akosua Agyɛi-Mensah', " Ama 'Maame' N'Dour", '李小龙']) {
      expect((await register(key, person({ full_name, notes: null, date_of_birth: '0001-01-01' }))).status).toBe(200)
    }
  })

  it('200: keeps the person’s data sealed in the order’s own row, nowhere else, and unreadable in another', async () => {
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

  it('409: refuses any reuse of a reference, equal body or not, by anybody, and charges nothing', async () => {
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

  it('409: refuses a reference that a data order holds, and the reverse', async () => {
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

  it('409: refuses a taken reference before it looks at the wallet', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_200 })
    expect((await register(key, person({ reference: 'taken' }))).status).toBe(200)
    expect((await register(key, person({ reference: 'taken' }))).headers['x-error-reason']).toBe('reference_taken')
    expect((await register(key, person({ reference: 'fresh' }))).headers['x-error-reason']).toBe('insufficient_funds')
  })

  it('200 or 409: takes one of several equal requests racing on two processes, and refuses the rest', async () => {
    const { key } = await shop.app.makeReseller()
    const body = person()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        retryWhileOverloaded(() => register(key, body, index % 2 ? shop.app : shop.second)),
      ),
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
  ])('400: refuses %s, and leaves the reference free', async (_, change) => {
    const { key } = await shop.app.makeReseller()
    const body = person()
    const refused = await register(key, { ...body, ...change })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).not.toMatch(/123456789|1990-05/)
    expect((await register(key, body)).status).toBe(200)
  })

  it.each([
    { location: ' ' },
    { full_name: null },
    { full_name: 'Ama\u0000Mensah' },
    { full_name: 'Ama\nMensah' },
    { full_name: 'Ama Mensah\u007f' },
    { full_name: '\tAma Mensah' },
    { full_name: 'Ama\u0085Mensah' },
    { location: 'Madina\u001b[31m' },
    { date_of_birth: '0000-01-01' },
    { date_of_birth: '0000-02-29' },
    { phone: 241_234_567 },
    { date_of_birth: '2099-01-01' },
    { date_of_birth: '9999-12-31' },
  ])('400: refuses %o', async (change) => {
    const { key } = await shop.app.makeReseller()
    expect((await register(key, person({ reference: 'refused', ...change }))).status).toBe(400)
  })

  it('400: names every faulty field of a registration and the form that each needs', async () => {
    const { key } = await shop.app.makeReseller()
    const faults = { full_name: 'Ama\nMensah', phone: '241234567', id_number: 'GHA-1', date_of_birth: '17/05/1990' }
    const { body } = await register(key, { ...person(), ...faults, location: undefined })
    expect(body.error.message.split(/(?<=\.) /)).toEqual([
      'location is required.',
      'full_name must be text that is not blank and has no control characters.',
      'phone must be 10 digits starting with 0.',
      'id_number must be GHA-, nine digits, a hyphen and one digit.',
      'date_of_birth must be a date, YYYY-MM-DD.',
    ])
  })

  it('200 or 400: refuses an applicant who is 18 tomorrow, and takes one who is 18 today', async () => {
    const { key } = await shop.app.makeReseller()
    const { rows } = await sql<{ today: string; tomorrow: string }>`
      select to_char((now() at time zone 'Africa/Accra')::date - interval '18 years', 'YYYY-MM-DD') as today,
        to_char((now() at time zone 'Africa/Accra')::date + 1 - interval '18 years', 'YYYY-MM-DD') as tomorrow`.execute(shop.db)
    const tooYoung = await register(key, person({ date_of_birth: rows[0]?.tomorrow }))
    expect([tooYoung.status, tooYoung.headers['x-error-reason']]).toEqual([400, 'applicant_too_young'])
    expect((await register(key, person({ date_of_birth: rows[0]?.today }))).status).toBe(200)
  })

  it('400: keeps nothing of the person when the balance is not enough', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_199 })
    const before = await sql<{ count: number }>`select count(*) as count from afa_registrations`.execute(shop.db)
    const { status, headers } = await register(key, person())
    expect([status, headers['x-error-reason']]).toEqual([400, 'insufficient_funds'])
    const after = await sql<{ count: number }>`select count(*) as count from afa_registrations`.execute(shop.db)
    expect(after.rows).toEqual(before.rows)
  })

  it('503: takes none while switched off, but look-ups, lists and 409 go on', async () => {
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
})
