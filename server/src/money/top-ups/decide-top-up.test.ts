import { expect, it } from 'vitest'
import { decideTopUp } from './decide-top-up.ts'

const at = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours))
const credited = { state: 'credited', reference: 'topup-1', amount: 100, fee: 0, createdAt: at(0), expiresAt: at(1) } as const

it('a credited top-up about which a callback came is asked about for three days while the gateway does not answer', () => {
  const silent = { meaning: 'unanswered', evidence: '' } as const
  const first = decideTopUp({ ...credited, unansweredSince: null }, silent, at(1_000))
  expect(first).toEqual({ nextAskAt: new Date(at(1_000).getTime() + 600_000) })
  const since = { ...credited, unansweredSince: at(1_000) }
  expect(decideTopUp(since, silent, at(1_008))).toEqual({ nextAskAt: at(1_010) })
  expect(decideTopUp(since, silent, at(1_070))).toEqual({ nextAskAt: null })
  expect(decideTopUp(since, { meaning: 'in_progress', evidence: '' }, at(1_008))).toEqual({ nextAskAt: null })
})
