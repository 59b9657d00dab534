import { describe, expect, it } from 'vitest'
import { useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

describe('GET /sms/opt-outs', () => {
  it('200: gives the numbers in their order, 100 to a page', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const { key } = reseller
    expect((await bench.get(reseller, '/sms/opt-outs')).body.data).toEqual({ total: 0, numbers: [], next: null })
    const numbers = Array.from({ length: 101 }, (_, n) => `0${241_000_000 + n}`)
    await bench.app.call('POST', '/sms/opt-outs', { key, body: { numbers } })
    const first = (await bench.get(reseller, '/sms/opt-outs')).body.data
    expect([first.total, first.numbers.length, first.next]).toEqual([101, 100, '233241000099'])
    const second = (await bench.get(reseller, `/sms/opt-outs?after=${first.next}`)).body.data
    expect(second).toEqual({ total: 101, numbers: ['233241000100'], next: null })
  })

  it('400: says how `after` is written', async () => {
    const { status, body } = await bench.get(await bench.makeSmsReseller(0), '/sms/opt-outs?after=0241234567')
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('233 and nine digits')])
  })
})
