import { describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/describe-key-rules.ts'
import { untilPast } from '../../../test/until-past.ts'
import { setUpAfa } from './set-up-afa.fixture.ts'

const { shop, person, register } = setUpAfa([])

const endpoints = [
  ['POST', '/afa/register', '"POST /afa/register";q=10;w=60'],
  ['GET', '/afa/orders', '"GET /afa/orders";q=30;w=60'],
  ['GET', '/afa/orders/nobody', '"GET /afa/orders/{reference}";q=30;w=60'],
] as const

describeKeyRules(shop, 'standard', endpoints)

describe('POST /afa/register', () => {
  it.each(['afa', 'r'.repeat(100), 'a/b?c=d%20 e'])(
    'takes the reference %s, by which the registration is looked up',
    async (reference) => {
      const { key } = await shop.app.makeReseller()
      const { status, body } = await register(key, person({ reference }))
      expect(status).toBe(200)
      const found = await shop.app.call('GET', `/afa/orders/${encodeURIComponent(reference)}`, { key })
      expect(found.body.data).toEqual({ id: body.data.order_id, reference, status: 'pending' })
    },
  )

  it('takes the fee of a customer from an agent whose role has expired', async () => {
    const soon = new Date(Date.now() + 500)
    const { key } = await shop.app.makeReseller({ role: 'agent', roleExpiresAt: soon })
    await untilPast(shop.db, soon)
    expect((await register(key, person({ reference: 'expired' }))).body.data.new_balance).toBe(985)
  })

  it('answers 409 to a taken reference before it looks at the wallet', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_200 })
    expect((await register(key, person({ reference: 'taken' }))).status).toBe(200)
    expect((await register(key, person({ reference: 'taken' }))).headers['x-error-reason']).toBe('reference_taken')
    expect((await register(key, person({ reference: 'fresh' }))).headers['x-error-reason']).toBe('insufficient_funds')
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
  ])('answers 400 for %o', async (change) => {
    const { key } = await shop.app.makeReseller()
    expect((await register(key, person({ reference: 'refused', ...change }))).status).toBe(400)
  })

  it('names every faulty field of a registration and the form that each needs', async () => {
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

  it('takes names as people write them, and null notes as none', async () => {
    const { key } = await shop.app.makeReseller()
    for (const full_name of ['Akosua Agyɛi-Mensah', " Ama 'Maame' N'Dour", '李小龙']) {
      expect((await register(key, person({ full_name, notes: null, date_of_birth: '0001-01-01' }))).status).toBe(200)
    }
  })
})

it('each product’s look-up finds only its own orders', async () => {
  const { key } = await shop.app.makeReseller()
  await register(key, person({ reference: 'only-afa' }))
  expect((await shop.app.call('GET', '/resultschecker/orders/only-afa', { key })).status).toBe(404)
  expect((await shop.app.call('GET', '/orders/only-afa', { key })).status).toBe(404)
})
