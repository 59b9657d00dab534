import { describe, expect, it } from 'vitest'
import { useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

describe('POST /sms/opt-outs/remove', () => {
  it('200: counts the numbers that came off the list, of this account alone', async () => {
    const [reseller, other] = [await bench.makeSmsReseller(0), await bench.makeSmsReseller(0)]
    for (const { key } of [reseller, other])
      await bench.app.call('POST', '/sms/opt-outs', { key, body: { numbers: ['0241234567'] } })
    const body = { numbers: ['233241234567', '0209999999'] }
    const removed = await bench.app.call('POST', '/sms/opt-outs/remove', { key: reseller.key, body })
    expect(removed.body.data).toEqual({ removed: 1 })
    expect((await bench.get(reseller, '/sms/opt-outs')).body.data.numbers).toEqual([])
    expect((await bench.get(other, '/sms/opt-outs')).body.data.numbers).toEqual(['233241234567'])
  })
})
