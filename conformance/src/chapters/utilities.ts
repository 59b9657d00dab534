import { dataOf, mustAnswer, mustEqual } from '../answers.ts'
import type { Api } from '../api.ts'
import { type Chapter, check } from '../check.ts'
import { amount, listOf, moment, number, objectWith, oneOf, orNull, text, trueOrFalse, uuid } from '../shapes.ts'

const key = 'commission'
const billerKeys = ['ecg', 'ghana_water', 'dstv', 'gotv', 'startimes']
const statuses = oneOf('pending', 'processing', 'completed', 'failed', 'refunded')
const biller = objectWith({
  key: oneOf(...billerKeys),
  label: text,
  enabled: trueOrFalse,
  account_label: text,
  requires_phone: trueOrFalse,
  lookup_by: oneOf('phone', 'account'),
  links_phone_to_account: trueOrFalse,
  has_amount_due: trueOrFalse,
})
const catalogue = objectWith({ billers: listOf(biller), min_amount: amount, max_amount: amount, currency: oneOf('GHS') })
const placed = objectWith({ reference: text, order_id: uuid, status: statuses })

type Biller = {
  readonly key: string
  readonly requires_phone: boolean
  readonly lookup_by: string
  readonly links_phone_to_account: boolean
}

const billers = async (api: Api): Promise<{ billers: Biller[]; min_amount: number; max_amount: number }> =>
  dataOf(await api.ask('GET', '/utilities/billers', { key }), catalogue)

async function pay(api: Api, more: object = {}) {
  const account = api.smartcard
  const { min_amount: least } = await billers(api)
  const reference = api.reference('bill')
  api.setMoneyAside(reference, least)
  return api.ask('POST', '/utilities/pay', { key, body: { biller: 'dstv', account, amount: least, reference, ...more } })
}

export const utilities: Chapter = {
  name: 'Utility bills',
  checks: [
    check(
      'Utilities, 1',
      'The catalogue lists the five billers, also those that are switched off, and the bounds of a payment.',
      async (api) => {
        const found = (await billers(api)).billers.map((each) => each.key)
        mustEqual('the billers', found.toSorted(), billerKeys.toSorted())
      },
    ),
    check('Biller', 'requires_phone is true for ecg and ghana_water alone.', async (api) => {
      const found = (await billers(api)).billers.filter((each) => each.requires_phone).map((each) => each.key)
      mustEqual('those that require a phone', found.toSorted(), ['ecg', 'ghana_water'])
    }),
    check('Biller', 'lookup_by is phone for ecg alone, and only ecg links a phone to accounts.', async (api) => {
      const found = (await billers(api)).billers
      mustEqual(
        'those that are looked up by phone',
        found.filter((each) => each.lookup_by === 'phone').map((each) => each.key),
        ['ecg'],
      )
      mustEqual(
        'those that link a phone',
        found.filter((each) => each.links_phone_to_account).map((each) => each.key),
        ['ecg'],
      )
    }),
    check('Utilities, 3', 'An amount outside the live bounds answers 400.', async (api) => {
      const { max_amount: most } = await billers(api)
      const body = { biller: 'dstv', account: '7012345678', amount: most + 1, reference: api.reference('too-much') }
      mustAnswer(await api.ask('POST', '/utilities/pay', { key, body }), 400)
    }),
    check('Utilities, 3', 'phone is required for ecg and ghana_water.', async (api) => {
      const { min_amount: amountOfBill } = await billers(api)
      for (const name of ['ecg', 'ghana_water']) {
        const body = { biller: name, account: '7012345678', amount: amountOfBill, reference: api.reference(`no-phone-${name}`) }
        mustAnswer(await api.ask('POST', '/utilities/pay', { key, body }), 400, 503)
      }
    }),
    check(
      'Limits',
      'A reference of a payment has letters, digits, dot, underscore and hyphen alone, 64 at most.',
      async (api) => {
        for (const reference of ['a b', 'x'.repeat(65)]) {
          const body = { biller: 'dstv', account: '7012345678', amount: 1, reference }
          mustAnswer(await api.ask('POST', '/utilities/pay', { key, body }), 400)
        }
      },
    ),
    check('Utilities, 2', 'account is required for a look-up, and the biller is one of the five.', async (api) => {
      mustAnswer(await api.ask('GET', '/utilities/lookup?biller=dstv', { key }), 400)
      mustAnswer(await api.ask('GET', '/utilities/lookup?biller=power&account=7012345678', { key }), 400)
    }),
    check('Utilities, 5', 'The reference of the answer is made by the service: UTIL-, the biller, and letters.', async (api) => {
      const { reference } = dataOf(await pay(api), placed)
      mustEqual('the form of the reference', /^UTIL-DSTV-\w+$/.test(reference), true)
    }),
    check(
      'Utilities, 4',
      'A repeat under one reference, even with another amount, returns the order in its small form.',
      async (api) => {
        const first = dataOf(await pay(api), placed)
        const { max_amount: most } = await billers(api)
        const again = dataOf(await pay(api, { amount: most }), objectWith({ already_processed: oneOf(true) }))
        mustEqual('order_id', again.order_id, first.order_id)
        mustEqual('new_balance', again.new_balance, undefined)
      },
    ),
    check(
      'Utility order',
      'A payment is found by the reference of the answer, with the amount and its commission.',
      async (api) => {
        const { reference } = dataOf(await pay(api), placed)
        const shape = objectWith({
          reference: oneOf(reference),
          status: statuses,
          payment_status: text,
          biller: oneOf('dstv'),
          account_number: text,
          account_name: text,
          amount,
          commission_earned: orNull(number),
          created_at: moment,
          updated_at: moment,
        })
        dataOf(await api.ask('GET', `/utilities/orders/${reference}`, { key }), shape)
      },
    ),
    check('Errors, 404', 'A payment that was never made is not found.', async (api) => {
      mustAnswer(await api.ask('GET', '/utilities/orders/UTIL-DSTV-NEVERMADE', { key }), 404)
    }),
  ],
}
