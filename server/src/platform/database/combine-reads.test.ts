import { describe, expect, it } from 'vitest'
import { combineReads } from './combine-reads.ts'

/** Lets everything go on that waits for nothing but a promise. */
const turn = () => new Promise(setImmediate)

describe('combined reads', () => {
  it('ask at once when idle, and together for what gathers while two reads are under way', async () => {
    const reads: (readonly string[])[] = []
    const gates: (() => void)[] = []
    const read = combineReads<string, string | undefined>(async (keys) => {
      reads.push(keys)
      await new Promise<void>((resolve) => gates.push(resolve))
      return (key) => (key === 'missing' ? undefined : `row of ${key}`)
    })
    const answers = Promise.all(['a', 'b', 'c', 'missing', 'd'].map((key) => read(key)))
    expect(reads).toEqual([['a'], ['b']])
    gates[0]?.()
    await turn()
    expect(reads[2]).toEqual(['c', 'missing', 'd'])
    for (const open of gates) open()
    expect(await answers).toEqual(['row of a', 'row of b', 'row of c', undefined, 'row of d'])
  })

  it('never answer with a read that began before the question', async () => {
    let stored = 'old'
    const gates: (() => void)[] = []
    const read = combineReads<string, string>(async () => {
      const seen = stored
      await new Promise<void>((resolve) => gates.push(resolve))
      return () => seen
    })
    const early = Promise.all([read('k'), read('k')])
    stored = 'new'
    const late = read('k')
    for (let times = 0; times < 3; times += 1) {
      await turn()
      for (const open of gates.splice(0)) open()
    }
    expect(await early).toEqual(['old', 'old'])
    expect(await late).toBe('new')
  })

  it('fail together when the statement fails, and go on with the next', async () => {
    let isBroken = true
    const read = combineReads<string, string>(() =>
      isBroken ? Promise.reject(new Error('away')) : Promise.resolve((key) => key),
    )
    await expect(Promise.all([read('a'), read('b')])).rejects.toThrow('away')
    isBroken = false
    expect(await read('a')).toBe('a')
  })
})
