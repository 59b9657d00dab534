import { beforeEach, expect, it } from 'vitest'
import { createRegistrationMemory, type RegistrationMemory } from './registration-memory.ts'

let current: { epoch: number; catalogueVersion: number } | undefined
let memory: RegistrationMemory
beforeEach(() => {
  current = { epoch: 1, catalogueVersion: 1 }
  memory = createRegistrationMemory({ current: () => current })
})

const number = '0241234567'
const yes = (server: 1 | 2) => new Map([[server, 'registered' as const]])
const no = (server: 1 | 2) => new Map([[server, 'not_registered' as const]])

it('remembers a yes by server, and forgets it when that server says something else', () => {
  memory.learn(number, yes(2))
  expect([memory.isRegistered(number, [1]), memory.isRegistered(number, [1, 2])]).toEqual([false, true])
  memory.learn(number, new Map([[2, 'unavailable']]))
  memory.learn(number, no(1))
  expect(memory.isRegistered(number, [2])).toBe(true)
  memory.learn(number, no(2))
  expect(memory.isRegistered(number, [1, 2])).toBe(false)
})

it('forgets a yes that could not be stored, of that server only', () => {
  memory.learn(number, new Map([...yes(1), ...yes(2)]))
  memory.forget(number, 1)
  expect([memory.isRegistered(number, [1]), memory.isRegistered(number, [2])]).toEqual([false, true])
})

it('knows nothing while the epoch is not trusted, and begins anew when it has moved', () => {
  memory.learn(number, yes(1))
  const trusted = current
  current = undefined
  expect(memory.isRegistered(number, [1])).toBe(false)
  current = trusted
  expect(memory.isRegistered(number, [1])).toBe(true)
  current = { epoch: 2, catalogueVersion: 1 }
  expect(memory.isRegistered(number, [1])).toBe(false)
})

it('takes in no stored yes that may have been taken away while it was read', () => {
  const stored = [{ number, server: 1 as const, secondsLeft: 60 }]
  const beforeNo = memory.beginRead()
  memory.learn(number, no(1))
  beforeNo(stored)
  expect(memory.isRegistered(number, [1])).toBe(false)
  const beforeMove = memory.beginRead()
  current = { epoch: 2, catalogueVersion: 1 }
  expect(memory.isRegistered(number, [1])).toBe(false)
  beforeMove(stored)
  expect(memory.isRegistered(number, [1])).toBe(false)
  memory.beginRead()(stored)
  expect(memory.isRegistered(number, [1])).toBe(true)
})

it('believes no stored yes longer than its age allows', () => {
  memory.beginRead()([{ number, server: 1, secondsLeft: 0 }])
  expect(memory.isRegistered(number, [1])).toBe(false)
})

it('keeps the numbers that are bought for, and lets the others go when it is full', () => {
  const hearMany = (from: number) => {
    for (let other = from; other < from + 20_000; other += 1) memory.learn(`055${other}`, yes(1))
  }
  memory.learn(number, yes(1))
  for (const from of [0, 20_000, 40_000, 60_000, 80_000, 100_000]) {
    hearMany(from)
    expect(memory.isRegistered(number, [1])).toBe(true)
  }
  expect(memory.isRegistered('0550', [1])).toBe(false)
  expect(memory.isRegistered('055119999', [1])).toBe(true)
})
