import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerMeaning, AskSchedule } from '../../suppliers/ports.ts'
import type { AnswerSource, Attempt } from '../attempt.ts'
import {
  absenceCountsAfterSeconds,
  after,
  begunAt,
  type Case,
  decide,
  elsewhere,
  freshAttempt,
  schedule,
} from '../settlement/answered-attempt.fixture.ts'

const meanings: AnswerMeaning[] = [
  'delivered',
  'accepted',
  'failed',
  'rejected_recipient',
  'rejected_request',
  'not_registered',
  'duplicate_exists',
  'never_received',
  'unfulfilled',
  'unknown',
  'not_sent',
  'unreachable',
  'rejected_platform',
  'throttled',
]

const anyCase = fc.record({
  source: fc.constantFrom<AnswerSource>('send', 'resend', 'status', 'callback'),
  meaning: fc.constantFrom(...meanings),
  isOurMistake: fc.boolean(),
  askedAt: fc.integer({ min: 0, max: 1_000 }).map(after),
  otherRoutes: fc.constantFrom<string[]>([], elsewhere, ['second/data/MTN', 'third/data/MTN']),
  triedRoutes: fc.constantFrom<string[]>([], ['first/data/MTN']),
  attempt: fc.record({
    outcome: fc.constantFrom<Attempt['outcome']>(null, 'unknown', 'accepted'),
    asks: fc.integer({ min: 0, max: 100 }),
    attemptNo: fc.integer({ min: 1, max: 100 }),
    provenAbsences: fc.integer({ min: 0, max: 3 }),
    unfulfilledSince: fc.option(fc.integer({ min: 0, max: 1_000 }).map(after), { nil: null }),
  }),
  schedule: fc.constantFrom<AskSchedule>(schedule, { ...schedule, unfulfilledProofSeconds: 300 }),
})

describe('whatever is answered, however it was obtained', () => {
  const isFirstAnswer = ({ source, attempt }: Case) => source === 'send' && attempt?.outcome === null
  const isProvenAbsence = ({ source, meaning, attempt, askedAt }: Case) =>
    meaning === 'never_received' &&
    source === 'status' &&
    attempt?.outcome !== 'accepted' &&
    (attempt?.provenAbsences ?? 0) >= 1 &&
    (askedAt ?? begunAt) >= after(absenceCountsAfterSeconds)

  const isProvenUnfulfilled = ({ source, meaning, attempt, askedAt, schedule: by }: Case) =>
    meaning === 'unfulfilled' &&
    source === 'status' &&
    by?.unfulfilledProofSeconds !== undefined &&
    attempt?.unfulfilledSince != null &&
    (askedAt ?? begunAt).getTime() - attempt.unfulfilledSince.getTime() >= by.unfulfilledProofSeconds * 1_000 &&
    (askedAt ?? begunAt) >= after(absenceCountsAfterSeconds)

  test('only delivered completes, and it always does', () => {
    fc.assert(
      fc.property(anyCase, (c) => {
        expect(decide(c).step.do === 'complete').toBe(c.meaning === 'delivered')
      }),
    )
  })

  test('an order fails only on a definitive status, one that says unfulfilled far enough apart, a rejection of the only send, or a proven absence with nobody left', () => {
    fc.assert(
      fc.property(anyCase, (c) => {
        const isProof =
          c.meaning === 'failed' ||
          (isFirstAnswer(c) && (c.meaning === 'rejected_recipient' || (c.meaning === 'rejected_request' && !c.isOurMistake))) ||
          (isProvenAbsence(c) && c.otherRoutes.length === 0) ||
          isProvenUnfulfilled(c)
        expect(decide(c).step.do === 'fail').toBe(isProof)
      }),
    )
  })

  test('unknown never settles, never sends', () => {
    fc.assert(
      fc.property(anyCase, (c) => {
        expect(decide({ ...c, meaning: 'unknown' }).step.do).toBe('ask_again')
      }),
    )
  })

  test('a new attempt needs proof that this one delivered nothing', () => {
    const certain: AnswerMeaning[] = ['rejected_platform', 'throttled', 'unreachable', 'not_sent', 'not_registered']
    fc.assert(
      fc.property(anyCase, (c) => {
        const { step } = decide(c)
        const isNew = !['complete', 'fail', 'ask_again'].includes(step.do)
        const isCertain = certain.includes(c.meaning) || (c.meaning === 'rejected_request' && c.isOurMistake)
        expect(isNew && !(isFirstAnswer(c) && isCertain) && !isProvenAbsence(c)).toBe(false)
      }),
    )
  })

  test('an acknowledged attempt stays acknowledged until its supplier says how it ended', () => {
    fc.assert(
      fc.property(anyCase, (c) => {
        const { outcome } = decide({ ...c, attempt: { ...c.attempt, outcome: 'accepted' } })
        expect(['accepted', 'delivered', 'failed']).toContain(outcome)
      }),
    )
  })

  test('every wait is a finite time ahead', () => {
    fc.assert(
      fc.property(anyCase, (c) => {
        const { step } = decide(c)
        const waitSeconds = 'afterSeconds' in step ? step.afterSeconds : 1
        expect(waitSeconds).toBeGreaterThanOrEqual(c.meaning === 'not_sent' ? 0 : 1)
        expect(waitSeconds).toBeLessThan(Number.POSITIVE_INFINITY)
      }),
    )
  })
})

describe('with a supplier that executed the order and does not lie', () => {
  /**
   * The answers that a supplier may give about an order that it executed: all except a definitive failure. "Not found" is
   * possible only while our request may still be on its way.
   */
  const heard = fc.record({
    afterSeconds: fc.integer({ min: 1, max: 60 }),
    source: fc.constantFrom<AnswerSource>('status', 'resend', 'callback'),
    meaning: fc.constantFrom<AnswerMeaning>(...meanings.filter((meaning) => meaning !== 'failed')),
  })
  const firstWord = fc.constantFrom<AnswerMeaning>('accepted', 'unknown', 'delivered', 'duplicate_exists')

  test('no order of answers leads to a refund or to a second attempt', () => {
    fc.assert(
      fc.property(firstWord, fc.boolean(), fc.array(heard, { maxLength: 30 }), (first, isAnswerLost, answers) => {
        let now = 0
        let attempt: Attempt = { ...freshAttempt }
        const said = [...(isAnswerLost ? [] : [{ afterSeconds: 0, source: 'send' as const, meaning: first }]), ...answers]
        for (const { afterSeconds, source, meaning } of said) {
          now += afterSeconds
          // The supplier has the order, so from this moment its look-up finds it.
          const honest = meaning === 'never_received' && now >= absenceCountsAfterSeconds ? 'unknown' : meaning
          const { step, outcome, recordedAnswer } = decide({ source, meaning: honest, askedAt: after(now), attempt })
          expect(['complete', 'ask_again']).toContain(step.do)
          if (step.do === 'complete') return
          attempt = {
            ...attempt,
            outcome,
            asks: attempt.asks + 1,
            provenAbsences: attempt.provenAbsences + (recordedAnswer === 'never_received' && source === 'status' ? 1 : 0),
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
