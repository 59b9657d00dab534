import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type SmsReseller, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const fresh = (ending?: string) => bench.freshNumber(ending)
const balanceOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data

describe('GET /sms/balance', () => {
  it('200: shows credits as purchased less used, with mode and account status', async () => {
    const reseller = await bench.makeSmsReseller(50)
    await bench.sendAndWait(reseller, { message, recipients: [fresh(), fresh('921')] })
    expect((await bench.get(reseller, '/sms/balance')).body.data).toEqual({
      credits: 49,
      totalPurchased: 50,
      totalUsed: 1,
      mode: 'pool',
      accountStatus: 'active',
    })
  })

  it('200: says `suspended` as long as a key of a suspended account is still answered', async () => {
    const reseller = await bench.makeSmsReseller(5)
    // The new key changed the epoch. Later reads stay in memory until it changes again.
    await bench.app.untilSeen()
    expect((await balanceOf(reseller)).accountStatus).toBe('active')
    // The epoch is not changed, as if this process had not noticed yet.
    await sql`update accounts set status = 'suspended' where id = ${reseller.accountId}`.execute(bench.app.database.db)
    expect(await balanceOf(reseller)).toEqual({
      credits: 5,
      totalPurchased: 5,
      totalUsed: 0,
      mode: 'pool',
      accountStatus: 'suspended',
    })
  })
})
