import { afterEach, describe, expect, it, vi } from 'vitest'
import { newId } from './new-id.ts'

const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

afterEach(() => vi.useRealTimers())

describe('an id', () => {
  it('is a UUID of version 7 with the time in front, and later ids sort after earlier ones', () => {
    const startedAt = Date.now()
    const ids = Array.from({ length: 10_000 }, newId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    expect(timeOf(ids[0] ?? '')).toBeGreaterThanOrEqual(startedAt)
  })

  it('follows a clock that is set right, and sorts on through one that trembles', () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * 3_600_000 })
    const ahead = newId()
    vi.setSystemTime(now + 2 * 3_600_000 - 1_000)
    expect(newId() > ahead).toBe(true)
    vi.setSystemTime(now)
    expect(timeOf(newId())).toBe(now)
  })

  it('shares no random part with its neighbours', () => {
    const tails = Array.from({ length: 2_000 }, () => newId().slice(19))
    expect(new Set(tails).size).toBe(tails.length)
  })
})
