import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { addPoolSender, decideSender, requestSender } from './campaigns/decide-sender.ts'
import { approveSender, type SmsReseller, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const fresh = (ending?: string) => bench.freshNumber(ending)
const sendersOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/senders')).body.data

async function decideOwn(accountId: string, sender: string, status: 'approved' | 'rejected'): Promise<void> {
  await inTransaction(bench.app.database.db, async (tx) => {
    if (status === 'approved') await requestSender(tx, { accountId, sender, actor: 'test' })
    await decideSender(tx, { accountId, sender, status, actor: 'test' })
  })
}

describe('GET /sms/senders', () => {
  it('200: lists own and pool senders with the default and the mode', async () => {
    const reseller = await bench.makeSmsReseller()
    expect((await bench.get(reseller, '/sms/senders')).body.data).toEqual({
      mode: 'pool',
      defaultSender: 'Makola',
      senders: [{ sender: 'Makola', type: 'pool', isDefault: true }],
    })
    await approveSender(bench, reseller.accountId, 'KofiShop')
    expect((await bench.get(reseller, '/sms/senders')).body.data).toEqual({
      mode: 'own',
      defaultSender: 'KofiShop',
      senders: [
        { sender: 'KofiShop', type: 'own', isDefault: true },
        { sender: 'Makola', type: 'pool', isDefault: false },
      ],
    })
    await inTransaction(bench.app.database.db, (tx) =>
      decideSender(tx, { accountId: reseller.accountId, sender: 'KofiShop', status: 'rejected', actor: 'test' }),
    )
    expect((await bench.get(reseller, '/sms/senders')).body.data.mode).toBe('pool')
  })

  it('200: names the pool’s default for an account without one of its own, also where it has one of that name', async () => {
    const reseller = await bench.makeSmsReseller()
    for (const sender of ['AdwoaShop', 'Makola']) await decideOwn(reseller.accountId, sender, 'approved')
    expect(await sendersOf(reseller)).toMatchObject({ mode: 'own', defaultSender: 'AdwoaShop' })
    await decideOwn(reseller.accountId, 'AdwoaShop', 'rejected')
    expect(await sendersOf(reseller)).toEqual({
      mode: 'own',
      defaultSender: 'Makola',
      senders: [{ sender: 'Makola', type: 'own', isDefault: true }],
    })
    expect((await bench.sendAndWait(reseller, { message, recipients: fresh('921') })).body.data.sender).toBe('Makola')
    await decideOwn(reseller.accountId, 'Makola', 'rejected')
    expect(await sendersOf(reseller)).toMatchObject({ mode: 'pool', defaultSender: 'Makola' })
  })

  it('200: lists all of the pool, any of which may be named', async () => {
    const reseller = await bench.makeSmsReseller()
    await inTransaction(bench.app.database.db, (tx) => addPoolSender(tx, { sender: '1234', isDefault: false, actor: 'test' }))
    expect((await sendersOf(reseller)).senders).toEqual([
      { sender: '1234', type: 'pool', isDefault: false },
      { sender: 'Makola', type: 'pool', isDefault: true },
    ])
    expect((await bench.sendAndWait(reseller, { message, recipients: fresh('921'), sender: '1234' })).body.data.sender).toBe(
      '1234',
    )
  })
})
