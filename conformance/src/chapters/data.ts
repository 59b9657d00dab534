import { dataOf, must, mustAnswer, mustEqual } from '../answers.ts'
import { type Chapter, check } from '../check.ts'
import { amount, listOf, moment, number, objectWith, oneOf, optional, size, text, trueOrFalse, uuid, whole } from '../shapes.ts'

const networks = ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime']
const statuses = oneOf('pending', 'queued', 'processing', 'completed', 'failed', 'refunded')
const pesewas = (ghs: number) => Math.round(ghs * 100)

const packageShape = objectWith({
  id: uuid,
  network: oneOf(...networks),
  size,
  volume_gb: number,
  price: amount,
  currency: oneOf('GHS'),
})

const orderShape = objectWith({
  order_id: uuid,
  reference: text,
  status: statuses,
  network: oneOf(...networks),
  size,
  recipient: text,
  price: amount,
  source: oneOf('api'),
})

export const packages: Chapter = {
  name: 'Packages',
  checks: [
    check('Package', 'A package has id, network, size, volume_gb, price and currency.', async (api) => {
      dataOf(await api.ask('GET', '/packages'), objectWith({ packages: listOf(packageShape), total: whole }))
    }),
    check('GET /packages', 'total is the number of packages.', async (api) => {
      const data = dataOf(await api.ask('GET', '/packages'), objectWith({ packages: listOf(packageShape) }))
      mustEqual('total', data.total, data.packages.length)
    }),
    check('GET /packages, network', 'network keeps the packages of that network alone.', async (api) => {
      const data = dataOf(await api.ask('GET', '/packages?network=MTN'), objectWith({ packages: listOf(packageShape) }))
      const others = data.packages.filter(({ network }: { network: string }) => network !== 'MTN')
      must(others.length === 0, `a package of ${others[0]?.network} is among those of MTN`)
    }),
    check('GET /packages, network', 'network is case-sensitive, and a value that is none answers 400.', async (api) => {
      mustAnswer(await api.ask('GET', '/packages?network=mtn'), 400)
    }),
    check('GET /packages, size_gb', 'size_gb keeps the packages of exactly that size.', async (api) => {
      const { volume_gb: volume } = await api.findCheapestBundle('MTN')
      const data = dataOf(
        await api.ask('GET', `/packages?network=MTN&size_gb=${volume}`),
        objectWith({ packages: listOf(packageShape) }),
      )
      const volumes = data.packages.map((each: { volume_gb: number }) => each.volume_gb)
      must(
        volumes.length > 0 && volumes.every((each: number) => each === volume),
        `size_gb=${volume} answers ${volumes.join(', ')} GB`,
      )
    }),
  ],
}

export const purchases: Chapter = {
  name: 'Data orders',
  checks: [
    check(
      'POST /data/purchase',
      'A purchase answers the order, pending or queued at first, and the new balance.',
      async (api) => {
        const body = await api.makePurchaseBody('data')
        const order = dataOf(await api.ask('POST', '/data/purchase', { body }), orderShape)
        dataOf(await api.ask('POST', '/data/purchase', { body }), objectWith({ new_balance: amount }))
        mustEqual('reference', order.reference, body.reference)
        mustEqual('recipient', order.recipient, body.recipient)
      },
    ),
    check(
      'POST /data/purchase',
      'The wallet is debited the price of the order, and new_balance is what is left.',
      async (api) => {
        const body = await api.makePurchaseBody('debit')
        const isPlaced = (await api.ask('GET', `/orders/${body.reference}`)).status === 200
        const before = await api.balance()
        const order = dataOf(await api.ask('POST', '/data/purchase', { body }), orderShape)
        const spent = isPlaced ? 0 : pesewas(order.price)
        mustEqual('new_balance in pesewas', pesewas(order.new_balance), pesewas(before) - spent)
        mustEqual('the balance in pesewas', pesewas(await api.balance()), pesewas(before) - spent)
      },
    ),
    check('POST /data/purchase', 'The price of an order is that of the package.', async (api) => {
      const { price } = await api.findCheapestBundle('MTN')
      const body = await api.makePurchaseBody('data')
      mustEqual('price', dataOf(await api.ask('POST', '/data/purchase', { body }), orderShape).price, price)
    }),
    check(
      'Idempotency, 1',
      'A repeat with the same reference and body returns the original order and charges nothing.',
      async (api) => {
        const body = await api.makePurchaseBody('data')
        const first = dataOf(await api.ask('POST', '/data/purchase', { body }), orderShape)
        const before = await api.balance()
        const again = dataOf(await api.ask('POST', '/data/purchase', { body }), orderShape)
        mustEqual('order_id of the repeat', again.order_id, first.order_id)
        mustEqual('the balance after the repeat', await api.balance(), before)
      },
    ),
    check('Idempotency, 1', 'Equal requests at the same moment are one order, which is charged once.', async (api) => {
      const body = await api.makePurchaseBody('at-once')
      const isPlaced = (await api.ask('GET', `/orders/${body.reference}`)).status === 200
      const before = await api.balance()
      const answers = await Promise.all(Array.from({ length: 5 }, () => api.ask('POST', '/data/purchase', { body })))
      const orders = answers.map((answer) => dataOf(answer, orderShape))
      mustEqual('the number of orders', new Set(orders.map((order) => order.order_id)).size, 1)
      const spent = pesewas(before) - pesewas(await api.balance())
      mustEqual('pesewas charged', spent, isPlaced ? 0 : pesewas(orders[0].price))
    }),
    check(
      'Idempotency, 2',
      'A reference that is used for another request returns 409, and the wallet is not touched.',
      async (api) => {
        const body = await api.makePurchaseBody('data')
        dataOf(await api.ask('POST', '/data/purchase', { body }))
        const before = await api.balance()
        const other = { ...body, network: 'Telecel', recipient: '0201234567' }
        mustAnswer(
          await api.ask('POST', '/data/purchase', {
            body: { ...other, volume_gb: (await api.findCheapestBundle('Telecel')).volume_gb },
          }),
          409,
        )
        mustEqual('the balance after the 409', await api.balance(), before)
      },
    ),
    check('GET /orders/{reference}', 'The order is found by its reference, with the moment it was created.', async (api) => {
      const body = await api.makePurchaseBody('data')
      const placed = dataOf(await api.ask('POST', '/data/purchase', { body }), orderShape)
      const found = dataOf(await api.ask('GET', `/orders/${body.reference}`), orderShape)
      dataOf(await api.ask('GET', `/orders/${body.reference}`), objectWith({ created_at: moment }))
      mustEqual('order_id', found.order_id, placed.order_id)
    }),
    check('Errors, 404', 'An order that was never placed is not found.', async (api) => {
      mustAnswer(await api.ask('GET', `/orders/${api.reference('never-placed')}`), 404)
    }),
    check(
      'POST /data/purchase',
      'volume_gb must match a package; one that is none answers 404, and charges nothing.',
      async (api) => {
        const before = await api.balance()
        const body = { network: 'MTN', volume_gb: 98_765, recipient: '0241234567', reference: api.reference('no-package') }
        mustAnswer(await api.ask('POST', '/data/purchase', { body }), 404)
        mustEqual('the balance', await api.balance(), before)
      },
    ),
    check(
      'POST /data/purchase, recipient',
      'recipient has 10 digits and starts with 0; anything else answers 400.',
      async (api) => {
        for (const recipient of ['241234567', '+233241234567', '02412345678', '']) {
          const body = { network: 'MTN', volume_gb: 1, recipient, reference: api.reference('no-number') }
          mustAnswer(await api.ask('POST', '/data/purchase', { body }), 400)
        }
      },
    ),
    check('POST /data/purchase, reference', 'reference is required.', async (api) => {
      mustAnswer(
        await api.ask('POST', '/data/purchase', { body: { network: 'MTN', volume_gb: 1, recipient: '0241234567' } }),
        400,
      )
    }),
    check('POST /data/purchase, network', 'network is one of four values; anything else answers 400.', async (api) => {
      const body = { network: 'Vodafone', volume_gb: 1, recipient: '0201234567', reference: api.reference('no-network') }
      mustAnswer(await api.ask('POST', '/data/purchase', { body }), 400)
    }),
  ],
}

const bulkShape = objectWith({
  orders_placed: whole,
  total_cost: amount,
  new_balance: amount,
  orders: listOf(objectWith({ order_id: uuid, reference: text, status: statuses })),
  skipped: listOf(objectWith({ recipient: text, reason: text })),
})

export const batches: Chapter = {
  name: 'Batches',
  checks: [
    check('POST /data/bulk', 'A batch answers what was placed, its cost, the new balance and what was skipped.', async (api) => {
      const orders = [await api.makePurchaseBody('bulk-a'), await api.makePurchaseBody('bulk-b')]
      const data = dataOf(await api.ask('POST', '/data/bulk', { body: { orders } }), bulkShape)
      mustEqual('orders and skipped', data.orders.length + data.skipped.length, 2)
    }),
    check('POST /data/bulk, 1', 'An order that is not valid rejects the whole batch, and nothing is charged.', async (api) => {
      const before = await api.balance()
      const good = await api.makePurchaseBody('bulk-refused')
      const bad = { ...good, volume_gb: 98_765, reference: api.reference('bulk-no-package') }
      mustAnswer(await api.ask('POST', '/data/bulk', { body: { orders: [good, bad] } }), 400, 404)
      mustEqual('the balance', await api.balance(), before)
      mustAnswer(await api.ask('GET', `/orders/${good.reference}`), 404)
    }),
    check('Limits', 'A batch holds at most 100 orders.', async (api) => {
      const order = { network: 'MTN', volume_gb: 98_765, recipient: '0241234567' }
      const orders = Array.from({ length: 101 }, (_, index) => ({ ...order, reference: api.reference(`many-${index}`) }))
      mustAnswer(await api.ask('POST', '/data/bulk', { body: { orders } }), 400)
    }),
  ],
}

const check1 = objectWith({ recipient: text, network: oneOf(...networks), allowed: trueOrFalse })

export const numbers: Chapter = {
  name: 'Checks of numbers',
  checks: [
    check('Verify-number, 1', 'A network that is not MTN is allowed at once.', async (api) => {
      const body = { network: 'Telecel', recipient: '0201234567' }
      const data = dataOf(await api.ask('POST', '/data/verify-number', { body }), check1)
      mustEqual('allowed', data.allowed, true)
    }),
    check('POST /data/verify-number', 'The answer has recipient, network and allowed.', async (api) => {
      const body = { network: 'MTN', recipient: '0241234567' }
      mustEqual('recipient', dataOf(await api.ask('POST', '/data/verify-number', { body }), check1).recipient, '0241234567')
    }),
    check('Verify-number, 4', 'Each server answers with its number, or 502 when it cannot be reached.', async (api) => {
      for (const server of [1, 2]) {
        const body = { network: 'MTN', recipient: '0241234567' }
        const answer = await api.ask('POST', `/data/verify-number/server-${server}`, { body })
        mustAnswer(answer, 200, 502)
        if (answer.status === 200)
          dataOf(answer, objectWith({ server: oneOf(server), allowed: trueOrFalse, network: optional(text) }))
      }
    }),
  ],
}
