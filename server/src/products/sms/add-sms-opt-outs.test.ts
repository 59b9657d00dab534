import { describe, expect, it } from 'vitest'
import { useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

describe('POST /sms/opt-outs', () => {
  it('200: counts the numbers that were not in the list, however they are written', async () => {
    const { key } = await bench.makeSmsReseller(0)
    const add = async (numbers: string[]) => (await bench.app.call('POST', '/sms/opt-outs', { key, body: { numbers } })).body.data
    expect(await add(['0241234567', '233241234567', '0551234567'])).toEqual({ added: 2 })
    expect(await add(['0241234567', '0201234567'])).toEqual({ added: 1 })
  })

  it('400: takes none of them when one is no number of Ghana', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const body = { numbers: ['0241234567', '241234567'] }
    expect((await bench.app.call('POST', '/sms/opt-outs', { key: reseller.key, body })).status).toBe(400)
    expect((await bench.get(reseller, '/sms/opt-outs')).body.data.total).toBe(0)
  })
})
