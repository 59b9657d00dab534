import { dataOf, must, mustAnswer, mustEqual } from '../answers.ts'
import type { Api } from '../api.ts'
import { type Chapter, check } from '../check.ts'
import { amount, listOf, objectWith, oneOf, text, uuid } from '../shapes.ts'

const statuses = oneOf('pending', 'processing', 'completed', 'failed', 'refunded')
const facts = {
  order_id: uuid,
  reference: text,
  status: statuses,
  network: oneOf('MTN', 'Telecel', 'AT'),
  airtime_amount: amount,
}
const key = 'commission'

function topUp(api: Api) {
  const reference = api.reference('airtime')
  const beneficiary = api.phone
  api.setMoneyAside(reference, 1)
  return { network: 'MTN', beneficiary_phone: beneficiary, amount: 1, reference }
}

export const airtime: Chapter = {
  name: 'Airtime',
  checks: [
    check('POST /airtime/purchase', 'No fee is charged: fee_amount is 0, and total_paid equals amount.', async (api) => {
      const body = topUp(api)
      const shape = objectWith({
        ...facts,
        beneficiary_phone: text,
        fee_amount: oneOf(0),
        total_paid: amount,
        new_balance: amount,
      })
      const order = dataOf(await api.ask('POST', '/airtime/purchase', { key, body }), shape)
      mustEqual('total_paid', order.total_paid, body.amount)
      mustEqual('airtime_amount', order.airtime_amount, body.amount)
    }),
    check('Idempotency, 1', 'A repeat with the same reference and body returns the original airtime order.', async (api) => {
      const body = topUp(api)
      const first = dataOf(await api.ask('POST', '/airtime/purchase', { key, body }))
      mustEqual('order_id', dataOf(await api.ask('POST', '/airtime/purchase', { key, body })).order_id, first.order_id)
    }),
    check('Idempotency, 2', 'Another amount under a used airtime reference returns 409.', async (api) => {
      const body = topUp(api)
      dataOf(await api.ask('POST', '/airtime/purchase', { key, body }))
      mustAnswer(await api.ask('POST', '/airtime/purchase', { key, body: { ...body, amount: 2 } }), 409)
    }),
    check('GET /airtime/orders/{reference}', 'reason is there only when the status is refunded.', async (api) => {
      const { reference } = topUp(api)
      dataOf(await api.ask('POST', '/airtime/purchase', { key, body: topUp(api) }))
      const order = dataOf(await api.ask('GET', `/airtime/orders/${reference}`, { key }), objectWith(facts))
      must(
        (order.reason === undefined) === (order.status !== 'refunded'),
        `the status is ${order.status}, the reason ${order.reason}`,
      )
    }),
    check('GET /airtime/orders', 'The list has at most 30 orders, newest first.', async (api) => {
      const shape = objectWith({ orders: listOf(objectWith(facts), 30) })
      dataOf(await api.ask('GET', '/airtime/orders', { key }), shape)
    }),
    check('Limits', 'An airtime reference has 3 to 100 characters.', async (api) => {
      for (const reference of ['ab', 'x'.repeat(101)]) {
        const body = { network: 'MTN', beneficiary_phone: '0241234567', amount: 1, reference }
        mustAnswer(await api.ask('POST', '/airtime/purchase', { key, body }), 400)
      }
    }),
    check('Errors, 404', 'An airtime order that was never placed is not found.', async (api) => {
      mustAnswer(await api.ask('GET', `/airtime/orders/${api.reference('never-placed')}`, { key }), 404)
    }),
  ],
}
