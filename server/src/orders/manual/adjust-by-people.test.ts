import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { personNamed } from '../../../test/make-account.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import { transferFinder } from '../../money/ledger-finder.ts'
import { pesewas } from '../../money/pesewas.ts'
import { listLedger } from '../../money/statement/list-ledger.ts'
import { newId } from '../../platform/database/new-id.ts'
import { parseSecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { products } from '../../products/products.ts'
import { balanceOf, movesOf, statusOf } from '../dispatch/order-bench.fixture.ts'
import { type PlacedOrder, placeTestOrders } from '../intake/place-test-orders.fixture.ts'
import { setUpOrders, usualFundsPesewas, usualPricePesewas } from '../intake/set-up-orders.fixture.ts'
import { readOrderHistory } from '../queries/read-order-history.ts'
import { adjustByPeople } from './adjust-by-people.ts'

const desk = setUpOrders()

/** Places an order, and ends it by this answer of its supplier. */
async function placeEnded(meaning: 'delivered' | 'failed'): Promise<PlacedOrder> {
  const order = await desk.place()
  await desk.settle(await desk.conclude(await desk.begin(), { meaning, evidence: `it is ${meaning}` }))
  return order
}

const say = ({ orderId }: PlacedOrder, amount: number, by: string) =>
  adjustByPeople(desk.db, products, {
    orderId,
    amountPesewas: pesewas(amount),
    evidence: `${by} asked the supplier`,
    person: personNamed(by),
  })

async function agree(order: PlacedOrder, amount: number) {
  expect(await say(order, amount, 'ama')).toMatchObject({ state: 'proposed' })
  return say(order, amount, 'kofi')
}

const balance = () => balanceOf(desk.db, desk.accountId)
const refused = (why: string) => ({ state: 'refused', why: expect.stringContaining(why) as string })

async function findBreaches(): Promise<string[]> {
  const { checks } = await runAudit(desk.db, allAuditChecks, { isFull: true })
  return Object.entries(checks).flatMap(([name, count]) => (count > 0 ? [name] : []))
}

describe('S12: goodwill and claw-back over an order that has ended', () => {
  test('gives the reseller of a completed order what two people agree on, and the order stays completed', async () => {
    const order = await placeEnded('delivered')
    expect(await agree(order, 350)).toMatchObject({ state: 'settled', order: { status: 'completed' } })
    expect(await balance()).toBe(usualFundsPesewas - usualPricePesewas + 350)
    expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>processing', 'processing>completed'])
    expect(await statusOf(desk.db, order.orderId)).toBe('completed')
    const page = { accountId: desk.accountId, purse: 'main', kind: 'adjustment', limit: 1 } as const
    const { entries } = await listLedger(desk.db, page, () => Promise.resolve(new Map()))
    expect(entries).toMatchObject([{ order: order.orderId, amount: 350 }])
  })

  test('takes back from the reseller of a refunded order what two people agree on', async () => {
    const order = await placeEnded('failed')
    expect(await agree(order, -usualPricePesewas)).toMatchObject({ state: 'settled', order: { status: 'refunded' } })
    expect(await balance()).toBe(usualFundsPesewas - usualPricePesewas)
  })

  test('is found by the id of its approval, with the statement that shows it and no order of this id', async () => {
    const settled = await agree(await placeEnded('delivered'), 350)
    const { cause_id: id } = await desk.db
      .selectFrom('transfers')
      .select('cause_id')
      .where('account_id', '=', desk.accountId)
      .where('kind', '=', 'adjustment')
      .executeTakeFirstOrThrow()
    const wanted = { text: id, id, phoneNumber: undefined, amountPesewas: undefined, recipients: [] }
    const secretsKeys = parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'SECRETS_KEY')
    expect(settled).toMatchObject({ state: 'settled' })
    expect(await transferFinder.find({ db: desk.db, secretsKeys }, wanted, 10)).toMatchObject([
      { id, next: expect.stringContaining('wallet statement'), path: `/accounts/${desk.accountId}` },
    ])
  })

  test('moves nothing on one person’s word, however the name is written, and nothing while the two differ', async () => {
    const order = await placeEnded('delivered')
    expect(await say(order, 300, 'ama')).toMatchObject({ state: 'proposed' })
    expect(await say(order, 350, 'AMA')).toMatchObject({ state: 'proposed' })
    expect(await say(order, 300, 'kofi')).toMatchObject(refused('AMA proposed something else, to give GHS 3.50 to the reseller'))
    expect(await say(order, -350, 'kofi')).toMatchObject(refused('agree on one, or refuse proposal'))
    expect(await balance()).toBe(usualFundsPesewas - usualPricePesewas)
    expect(await say(order, 350, 'kofi')).toMatchObject({ state: 'settled' })
    expect(await balance()).toBe(usualFundsPesewas - usualPricePesewas + 350)
  })

  test('comes to no more than the price, all adjustments together', async () => {
    const order = await placeEnded('delivered')
    expect(await say(order, usualPricePesewas + 1, 'ama')).toMatchObject(refused('cannot come to more than the price'))
    await agree(order, 400)
    expect(await say(order, 101, 'ama')).toMatchObject(refused('GHS 4.00 adjusted before'))
    await agree(order, 100)
    // An amount that was given by mistake can be taken back.
    expect(await agree(order, -500)).toMatchObject({ state: 'settled' })
    expect(await balance()).toBe(usualFundsPesewas - usualPricePesewas)
  })

  test('takes no more than the wallet holds, when it is proposed as when it is confirmed', async () => {
    desk.leaveOpen('nobody sends the order that empties the wallet')
    const order = await placeEnded('failed')
    expect(await say(order, -500, 'ama')).toMatchObject({ state: 'proposed' })
    await placeTestOrders(desk.db, desk.accountId, ['0240000000'], { pricePesewas: usualFundsPesewas - 499 })
    expect(await say(order, -500, 'kofi')).toMatchObject(refused('The main wallet holds GHS 4.99'))
    expect(await say(order, -500, 'ama')).toMatchObject(refused('The main wallet holds GHS 4.99'))
    expect(await balance()).toBe(499)
  })

  test('is for orders that have ended, and for none that is paid in credits', async () => {
    desk.leaveOpen('an order that has not ended is what cannot be adjusted')
    const order = await desk.place()
    expect(await say(order, 100, 'ama')).toMatchObject(refused('it has not ended'))
    const setKind = (kind: string) =>
      desk.database.ownerDb.updateTable('orders').set({ kind }).where('id', '=', order.orderId).execute()
    await setKind('sms')
    expect(await say(order, 100, 'ama')).toMatchObject(refused('was paid in credits'))
    await setKind('data')
    expect(await say({ ...order, orderId: newId() }, 100, 'ama')).toMatchObject(refused('no such order'))
    expect(() => say(order, 0, 'ama')).toThrow(RangeError)
  })

  test('moves once, however many second people race', async () => {
    const order = await placeEnded('delivered')
    await say(order, 350, 'ama')
    await Promise.all(Array.from({ length: 32 }, (_, no) => say(order, 350, `person ${no}`)))
    // The decision of a third person is a new proposal, and the order's price does not allow a second adjustment.
    expect(await balance()).toBe(usualFundsPesewas - usualPricePesewas + 350)
  })

  test('is shown with the order, and written to the operator’s log', async () => {
    const order = await placeEnded('delivered')
    await agree(order, 350)
    const history = await readOrderHistory(desk.db, products, order.reference)
    expect(history?.proposals).toMatchObject([
      { outcome: 'adjusted', amountPesewas: 350, proposedBy: 'ama', confirmedBy: 'kofi', evidence: 'ama asked the supplier' },
    ])
    const log = await desk.db
      .selectFrom('operator_log')
      .select(['actor', 'action', 'details'])
      .where('subject', '=', order.reference)
      .orderBy('id')
      .execute()
    expect(log).toMatchObject([
      {
        actor: 'ama',
        action: 'order adjust propose',
        details: { reason: 'ama asked the supplier', before: 'GHS 9,995.00', after: 'GHS 9,998.50' },
      },
      {
        actor: 'kofi',
        action: 'order adjust confirm',
        details: { amount: 'GHS 3.50', proposed_by: 'ama', note: 'kofi asked the supplier', order_id: order.orderId },
      },
    ])
  })

  test('is found by the audit where money moved without two people, or another amount than they agreed on', async () => {
    const order = await placeEnded('delivered')
    await agree(order, 350)
    const change = (set: RawBuilder<unknown>) =>
      desk.database.ownerDb.transaction().execute(async (tx) => {
        await sql`alter table approvals disable trigger user`.execute(tx)
        await sql`update approvals set ${set} where key = ${order.orderId}`.execute(tx)
        await sql`alter table approvals enable trigger user`.execute(tx)
      })
    expect(await findBreaches()).toEqual([])
    await change(sql`state = 'refused'`)
    expect(await findBreaches()).toEqual(['adjustment_without_two_people'])
    await change(sql`state = 'done', request = jsonb_set(request, '{amount}', '-350')`)
    expect(await findBreaches()).toEqual(['adjustment_without_two_people'])
    await change(sql`request = jsonb_set(request, '{amount}', '350')`)
    expect(await findBreaches()).toEqual([])
  })
})
