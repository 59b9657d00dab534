import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FoundServer, findServer, patienceMilliseconds } from './find-server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const [silent, leader, former] = [{}, {}, {}] as [pg.Pool, pg.Pool, pg.Pool]

function ask(pool: pg.Pool): Promise<FoundServer> {
  if (pool === silent) return new Promise(() => undefined)
  return Promise.resolve({ pool, timeLine: pool === leader ? '00000002' : '00000001' })
}

test('a server that was promoted later than the known one is taken without waiting for a silent one', async () => {
  expect((await findServer([silent, leader], ask, '00000001')).pool).toBe(leader)
})

test('any other is taken when the silent ones had their time to answer', async () => {
  let found: pg.Pool | undefined
  void findServer([silent, leader, former], ask, '00000002').then(({ pool }) => (found = pool))
  await vi.advanceTimersByTimeAsync(patienceMilliseconds - 1)
  expect(found).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(found).toBe(leader)
})
