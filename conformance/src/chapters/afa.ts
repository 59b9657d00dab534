import { dataOf, mustAnswer, mustEqual } from '../answers.ts'
import type { Api } from '../api.ts'
import { type Chapter, check } from '../check.ts'
import { listOf, objectWith, oneOf, text, uuid } from '../shapes.ts'

/** Nobody is registered here: each applicant has a fault, so that no identity is ever sent on. */
async function refuses(api: Api, fault: object): Promise<void> {
  const applicant = {
    reference: api.reference('afa'),
    full_name: 'Conformance Test',
    phone: '0241234567',
    id_type: 'Ghana Card',
    id_number: 'GHA-000000000-0',
    date_of_birth: '1990-01-01',
    region: 'Greater Accra',
    location: 'Accra',
  }
  const before = await api.balance()
  mustAnswer(await api.ask('POST', '/afa/register', { body: { ...applicant, ...fault } }), 400)
  mustEqual('the balance', await api.balance(), before)
}

export const afa: Chapter = {
  name: 'AFA registration',
  checks: [
    check('AFA register body, date_of_birth', 'An applicant under 18 is refused with 400.', async (api) => {
      await refuses(api, { date_of_birth: `${new Date().getFullYear() - 17}-12-31` })
    }),
    check('AFA register body, id_number', 'id_number has the form GHA-000000000-0.', async (api) => {
      await refuses(api, { id_number: 'GHA-12345-0' })
    }),
    check('AFA register body, id_type', 'id_type is exactly Ghana Card.', async (api) => {
      await refuses(api, { id_type: 'Passport' })
    }),
    check('AFA register body, region', 'region is one of the sixteen.', async (api) => {
      await refuses(api, { region: 'Accra' })
    }),
    check('AFA register body, full_name', 'full_name has at most 100 characters.', async (api) => {
      await refuses(api, { full_name: 'x'.repeat(101) })
    }),
    check('AFA register body, reference', 'An AFA reference has 3 to 100 characters.', async (api) => {
      await refuses(api, { reference: 'ab' })
    }),
    check('GET /afa/orders', 'The list has id, reference and status of at most 30 registrations.', async (api) => {
      const status = oneOf('pending', 'processing', 'completed', 'cancelled')
      dataOf(
        await api.ask('GET', '/afa/orders'),
        objectWith({ orders: listOf(objectWith({ id: uuid, reference: text, status }), 30) }),
      )
    }),
    check('Errors, 404', 'A registration that was never placed is not found.', async (api) => {
      mustAnswer(await api.ask('GET', `/afa/orders/${api.reference('never-placed')}`), 404)
    }),
  ],
}
