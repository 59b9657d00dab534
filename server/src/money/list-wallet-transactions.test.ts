import { describe, expect, it } from 'vitest'
import { setUpShop } from '../../test/set-up-shop.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { creditWallet } from './credit-wallet.ts'

const shop = setUpShop({ unlimited: ['GET /wallet/transactions'] })

const get = (key: string, query = '') => shop.app.call('GET', `/wallet/transactions${query}`, { key })
type Transaction = { transaction_no: number; created_at: string; kind: string; balance_before: number; balance_after: number }
type Page = { purse: string; unit: string; transactions: Transaction[]; next: number | null }
const list = async (key: string, query = '') => (await get(key, query)).body.data as Page
const numbersOf = ({ transactions }: Page) => transactions.map(({ transaction_no: no }) => no)

async function buy(key: string) {
  const reference = newId()
  const body = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }
  const { body: answer } = await shop.app.call('POST', '/data/purchase', { key, body })
  return { reference, orderId: answer.data.order_id as string, price: answer.data.price as number }
}

describe('GET /wallet/transactions', () => {
  it('200: lists what came in and went out, newest first, with the balance before and after', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 10_000 })
    const { reference, orderId, price } = await buy(key)
    expect((await get(key)).body.data).toEqual({
      purse: 'main',
      unit: 'GHS',
      transactions: [
        {
          transaction_no: 2,
          created_at: expect.any(String),
          kind: 'purchase',
          amount: -price,
          balance_before: 100,
          balance_after: 100 - price,
          cause_id: orderId,
          order_id: orderId,
          reference,
          note: expect.stringContaining('MTN 1GB 0241234567'),
        },
        expect.objectContaining({ transaction_no: 1, kind: 'credit', amount: 100, balance_before: 0, order_id: null }),
      ],
      next: null,
    })
  })

  it('200: gives each transaction once over the pages, which follow each other without a gap', async () => {
    const { key } = await shop.app.makeReseller()
    for (let n = 0; n < 4; n += 1) await buy(key)
    const first = await list(key, '?limit=2')
    await buy(key)
    const second = await list(key, `?limit=2&after=${first.next}`)
    const third = await list(key, `?limit=2&after=${second.next}`)
    const all = [first, second, third].flatMap(({ transactions }) => transactions)
    expect([first, second, third].flatMap(numbersOf)).toEqual([5, 4, 3, 2, 1])
    expect(all.slice(0, -1).map(({ balance_before: before }) => before)).toEqual(
      all.slice(1).map(({ balance_after: after }) => after),
    )
    expect(third.next).toBeNull()
  })

  it('200: lists one kind, one purse or one time', async () => {
    const { accountId, key } = await shop.app.makeReseller()
    await inTransaction(shop.db, (tx) => creditWallet(tx, { accountId, purse: 'sms_credits', amount: 7, actor: 'test' }))
    await buy(key)
    expect(numbersOf(await list(key, '?kind=credit'))).toEqual([1])
    expect(await list(key, '?purse=sms_credits')).toMatchObject({
      purse: 'sms_credits',
      unit: 'credits',
      transactions: [{ amount: 7 }],
    })
    const [newest] = (await list(key)).transactions
    const at = encodeURIComponent(newest?.created_at ?? '')
    expect(numbersOf(await list(key, `?created_from=${at}`))).toEqual([2])
    expect(numbersOf(await list(key, `?created_before=${at}`))).toEqual([1])
  })

  it.each([
    ['an unknown purse', '?purse=savings'],
    ['an unknown kind', '?kind=gift'],
    ['a cursor that is none', '?after=first'],
    ['a page of too many', '?limit=101'],
    ['a day instead of a moment', '?created_from=2026-01-15'],
  ])('400: refuses %s', async (_name, query) => {
    const { key } = await shop.app.makeReseller()
    expect((await get(key, query)).status).toBe(400)
  })
})
