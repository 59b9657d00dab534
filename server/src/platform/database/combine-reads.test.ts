import { describe, expect, it } from 'vitest'
import { combineReads } from './combine-reads.ts'

describe('combined reads', () => {
  it('ask at once when idle, and together for what gathers while two reads are under way', async () => {
    const reads: (readonly string[])[] = []
    const gates: (() => void)[] = []
    const read = combineReads<string>(async (keys) => {
      reads.push(keys)
      await new Promise<void>((resolve) => gates.push(resolve))
      return new Map(keys.filter((key) => key !== 'missing').map((key) => [key, `row of ${key}`]))
    })
    const answers = Promise.all(['a', 'b', 'c', 'missing', 'c'].map((key) => read(key)))
    expect(reads).toEqual([['a'], ['b']])
    gates[0]?.()
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(reads[2]).toEqual(['c', 'missing'])
    for (const open of gates) open()
    expect(await answers).toEqual(['row of a', 'row of b', 'row of c', undefined, 'row of c'])
  })

  it('never answer with a read that began before the question', async () => {
    let stored = 'old'
    const gates: (() => void)[] = []
    const read = combineReads<string>(async (keys) => {
      const seen = stored
      await new Promise<void>((resolve) => gates.push(resolve))
      return new Map(keys.map((key) => [key, seen]))
    })
    const [first, second] = [read('k'), read('k')]
    stored = 'new'
    const late = read('k')
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      for (const open of gates.splice(0)) open()
    }
    expect(await Promise.all([first, second])).toEqual(['old', 'old'])
    expect(await late).toBe('new')
  })

  it('fail together when the statement fails, and go on with the next', async () => {
    let isBroken = true
    const read = combineReads<string>((keys) =>
      isBroken ? Promise.reject(new Error('away')) : Promise.resolve(new Map(keys.map((key) => [key, key]))),
    )
    await expect(Promise.all([read('a'), read('b')])).rejects.toThrow('away')
    isBroken = false
    expect(await read('a')).toBe('a')
  })
})
