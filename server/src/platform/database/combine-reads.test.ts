import { describe, expect, it } from 'vitest'
import { combineReads } from './combine-reads.ts'

/** Resolves in a later turn of the event loop, when all code that waits for resolved promises has run. */
const turn = () => new Promise(setImmediate)

describe('combined reads', () => {
  it('ask together for what comes in one turn, and for what gathers while reads are under way', async () => {
    const reads: (readonly string[])[] = []
    const gates: (() => void)[] = []
    const read = combineReads<string, string | undefined>(async (keys) => {
      reads.push(keys)
      await new Promise<void>((resolve) => gates.push(resolve))
      return (key) => (key === 'missing' ? undefined : `row of ${key}`)
    })
    const ask = (keys: readonly string[]) => Promise.all(keys.map((key) => read(key)))
    const first = ask(['a', 'b'])
    await turn()
    expect(reads).toEqual([['a', 'b']])
    const single = ask(['c'])
    await turn()
    // While a read of two questions runs, a second read begins only when two more questions wait.
    expect(reads).toHaveLength(1)
    const second = ask(['missing'])
    await turn()
    expect(reads[1]).toEqual(['c', 'missing'])
    const third = ask(['d', 'e', 'f', 'g'])
    await turn()
    expect(reads).toHaveLength(2)
    gates[0]?.()
    await expect.poll(() => reads.length).toBe(3)
    expect(reads[2]).toEqual(['d', 'e', 'f', 'g'])
    for (const open of gates) open()
    expect(await Promise.all([first, single, second, third])).toEqual([
      ['row of a', 'row of b'],
      ['row of c'],
      [undefined],
      ['row of d', 'row of e', 'row of f', 'row of g'],
    ])
  })

  it('do not let a read that hangs hold up what comes after it', async () => {
    let reads = 0
    const read = combineReads<string, string>(async () => {
      reads += 1
      return reads === 1 ? new Promise(() => undefined) : (key) => key
    })
    for (const key of ['a', 'b', 'c']) void read(key)
    await turn()
    expect(await read('d')).toBe('d')
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
    await turn()
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
