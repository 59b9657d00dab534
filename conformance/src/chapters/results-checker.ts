import { dataOf, must, mustAnswer, mustEqual, Untried } from '../answers.ts'
import type { Api } from '../api.ts'
import { type Chapter, check } from '../check.ts'
import { amount, listOf, objectWith, text, trueOrFalse, uuid, whole } from '../shapes.ts'

const typeShape = objectWith({ type_id: uuid, name: text, price: amount, available_count: whole, is_active: trueOrFalse })
const orderShape = objectWith({
  id: uuid,
  reference: text,
  status: text,
  type_name: text,
  quantity: whole,
  unit_price: amount,
  total_paid: amount,
})
const purchaseShape = objectWith({
  order: orderShape,
  vouchers: listOf(objectWith({ id: uuid, pin: text, serial_number: text })),
})

type VoucherType = {
  readonly type_id: string
  readonly name: string
  readonly price: number
  readonly available_count: number
  readonly is_active: boolean
}

/** The type that this run bought before, also when it is sold out since; else the cheapest one in stock. */
async function chooseType(api: Api, reference: string): Promise<VoucherType> {
  const { types } = dataOf(await api.ask('GET', '/resultschecker/types'), objectWith({ types: listOf(typeShape) })) as {
    types: VoucherType[]
  }
  const { status, body } = await api.ask('GET', `/resultschecker/orders/${reference}`)
  const bought = status === 200 ? types.find(({ name }) => name === body?.data?.order?.type_name) : undefined
  const [cheapest] = types
    .filter((type) => type.is_active && type.available_count > 0)
    .toSorted((one, other) => one.price - other.price)
  const chosen = bought ?? cheapest
  if (!chosen) throw new Untried('no voucher is in stock')
  return chosen
}

async function buy(api: Api) {
  const reference = api.reference('voucher')
  const { type_id: typeId, price } = await chooseType(api, reference)
  api.setMoneyAside(reference, price)
  const body = { typeId, quantity: 1, reference }
  return { body, data: dataOf(await api.ask('POST', '/resultschecker/purchase', { body }), purchaseShape) }
}

export const resultsChecker: Chapter = {
  name: 'Results checker',
  checks: [
    check('Results checker, Type', 'A type has type_id, name, price, available_count and is_active.', async (api) => {
      dataOf(await api.ask('GET', '/resultschecker/types'), objectWith({ types: listOf(typeShape) }))
    }),
    check(
      'Results checker purchase, 2',
      'The vouchers come back in the answer of the purchase, as many as were bought.',
      async (api) => {
        const { data } = await buy(api)
        mustEqual('vouchers', data.vouchers.length, data.order.quantity)
      },
    ),
    check('Idempotency, 1', 'A repeat of a purchase of vouchers returns the same order and the same vouchers.', async (api) => {
      const { body, data } = await buy(api)
      const again = dataOf(await api.ask('POST', '/resultschecker/purchase', { body }), purchaseShape)
      mustEqual('order.id', again.order.id, data.order.id)
      mustEqual('vouchers', again.vouchers, data.vouchers)
    }),
    check('GET /resultschecker/orders/{reference}', 'The look-up by reference returns the vouchers again.', async (api) => {
      const { body, data } = await buy(api)
      const found = dataOf(await api.ask('GET', `/resultschecker/orders/${body.reference}`), purchaseShape)
      mustEqual('vouchers', found.vouchers, data.vouchers)
    }),
    check(
      'Results checker purchase, 1',
      'A purchase beyond the stock is refused, and the wallet is not touched.',
      async (api) => {
        const { types } = dataOf(await api.ask('GET', '/resultschecker/types')) as { types: VoucherType[] }
        const [first] = types
        if (!first) throw new Untried('no voucher is on sale')
        const before = await api.balance()
        const body = { typeId: first.type_id, quantity: first.available_count + 1_000_000, reference: api.reference('too-many') }
        mustAnswer(await api.ask('POST', '/resultschecker/purchase', { body }), 400)
        mustEqual('the balance', await api.balance(), before)
      },
    ),
    check('Results checker purchase, quantity', 'quantity is a whole number from 1.', async (api) => {
      for (const quantity of [0, 1.5]) {
        const body = { typeId: '00000000-0000-4000-8000-000000000000', quantity, reference: api.reference('no-quantity') }
        mustAnswer(await api.ask('POST', '/resultschecker/purchase', { body }), 400)
      }
    }),
    check('Errors, 404', 'An order of vouchers that was never placed is not found.', async (api) => {
      mustAnswer(await api.ask('GET', `/resultschecker/orders/${api.reference('never-placed')}`), 404)
    }),
    check('GET /resultschecker/orders', 'The list has at most 30 orders.', async (api) => {
      const { orders } = dataOf(await api.ask('GET', '/resultschecker/orders'), objectWith({ orders: listOf(orderShape) }))
      must(orders.length <= 30, `orders has ${orders.length} entries`)
    }),
  ],
}
