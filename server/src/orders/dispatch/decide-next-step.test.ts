import { describe, expect, test } from 'vitest'
import type { AnswerMeaning, AskSchedule, SupplierAnswer } from '../../suppliers/ports.ts'
import type { AnswerSource, Attempt } from '../attempt.ts'
import {
  absenceCountsAfterSeconds,
  after,
  decide,
  elsewhere,
  freshAttempt,
  schedule,
} from '../settlement/answered-attempt.fixture.ts'
import { decideNextStep } from './decide-next-step.ts'

describe('the answer to the first and only send of an attempt', () => {
  test.each<[AnswerMeaning, string]>([
    ['delivered', 'complete'],
    ['failed', 'fail'],
    ['rejected_recipient', 'fail'],
    ['rejected_request', 'fail'],
    ['accepted', 'ask_again'],
    ['duplicate_exists', 'ask_again'],
    ['unknown', 'ask_again'],
    ['never_received', 'ask_again'],
    ['rejected_platform', 'send_again'],
    ['throttled', 'send_again'],
    ['unreachable', 'send_again'],
    ['not_sent', 'send_again'],
    ['not_registered', 'hold_for_registration'],
  ])('%s leads to %s', (meaning, step) => {
    expect(decide({ meaning }).step.do).toBe(step)
  })

  test.each<[AnswerMeaning, string]>([
    ['rejected_platform', 'send_elsewhere'],
    ['unreachable', 'send_elsewhere'],
    ['rejected_recipient', 'fail'],
    ['rejected_request', 'fail'],
    ['failed', 'fail'],
    ['unknown', 'ask_again'],
    ['accepted', 'ask_again'],
  ])('%s leads to %s when a second supplier is at hand', (meaning, step) => {
    expect(decide({ meaning, otherRoutes: elsewhere }).step.do).toBe(step)
  })

  test('a refusal for a mistake of ours goes to the next supplier or waits, and never fails by itself (decisions S12b)', () => {
    const mistake = { meaning: 'rejected_request', isOurMistake: true, evidence: 'no such bundle' } as const
    const auth = { meaning: 'rejected_platform', cause: 'auth', evidence: 'bad key' } as const
    const judge = (answer: SupplierAnswer, otherRoutes: string[], source: AnswerSource = 'send') =>
      decideNextStep({ attempt: freshAttempt, source, answer, askedAt: after(0), schedule, otherRoutes, triedRoutes: [] })
    expect(judge(mistake, elsewhere)).toMatchObject({ step: { do: 'send_elsewhere' }, isOurMistake: true })
    const waits = { step: { do: 'send_again', holdReason: 'request_rejected' }, outcome: 'rejected_request', isOurMistake: true }
    expect(judge(mistake, [])).toMatchObject(waits)
    expect(judge(auth, [])).toMatchObject({ step: { do: 'send_again' }, isOurMistake: true })
    expect(judge({ ...auth, cause: 'float' }, [])).not.toHaveProperty('isOurMistake')
    // The first send may still be on its way, so a refusal of the second send proves nothing about it.
    const again = judge(mistake, elsewhere, 'resend')
    expect(again).toMatchObject({ step: { do: 'ask_again' } })
    expect(again).not.toHaveProperty('isOurMistake')
  })

  test('a short throttle waits for the same supplier, a long one goes to the next', () => {
    expect(decide({ meaning: 'throttled', otherRoutes: elsewhere }).step).toEqual({
      do: 'send_again',
      afterSeconds: 7,
      holdReason: 'throttled',
    })
    const long = decideNextStep({
      attempt: freshAttempt,
      source: 'send',
      answer: { meaning: 'throttled', retryAfterSeconds: 600, evidence: '' },
      askedAt: after(0),
      schedule,
      otherRoutes: elsewhere,
      triedRoutes: [],
    })
    expect(long.step).toEqual({ do: 'send_elsewhere', route: elsewhere[0] })
  })

  test('when everybody had a turn they take turns, later each time, and nobody is tried twice before that', () => {
    const tried = (attemptNo: number, otherRoutes: string[]) =>
      decide({ meaning: 'rejected_platform', attempt: { attemptNo }, otherRoutes, triedRoutes: ['first/data/MTN'] }).step
    expect(tried(2, elsewhere)).toEqual({ do: 'send_elsewhere', route: elsewhere[0] })
    const later = { do: 'send_elsewhere_later', route: 'first/data/MTN', holdReason: 'platform_rejected' }
    expect(tried(2, [])).toEqual({ ...later, afterSeconds: 2 })
    expect(tried(4, [])).toEqual({ ...later, afterSeconds: 10 })
  })

  test('a proven absence with nobody left but those that were tried is a failure (decisions S7b)', () => {
    const absent = { outcome: 'unknown', asks: 4, provenAbsences: 1 } as const
    const decided = decide({
      source: 'status',
      meaning: 'never_received',
      askedAt: after(absenceCountsAfterSeconds),
      attempt: absent,
      triedRoutes: elsewhere,
    })
    expect(decided.step).toEqual({ do: 'fail' })
  })

  test('a refusal of ourselves holds the order longer each time', () => {
    const waits = [1, 2, 3, 9].map((attemptNo) => decide({ meaning: 'rejected_platform', attempt: { attemptNo } }).step)
    expect(waits).toEqual(
      [1, 2, 5, 30].map((afterSeconds) => ({ do: 'send_again', afterSeconds, holdReason: 'platform_rejected' })),
    )
  })
})

describe('the answer to a question', () => {
  test.each<[AnswerSource, AnswerMeaning]>(
    (['status', 'resend', 'callback'] as const).flatMap((source) =>
      (
        [
          'rejected_recipient',
          'rejected_request',
          'rejected_platform',
          'not_registered',
          'throttled',
          'not_sent',
          'unreachable',
        ] as const
      ).map((meaning) => [source, meaning] as [AnswerSource, AnswerMeaning]),
    ),
  )('by %s is never a rejection: %s leaves the attempt unknown', (source, meaning) => {
    const decision = decide({ source, meaning, attempt: { outcome: 'unknown', asks: 1 }, otherRoutes: elsewhere })
    expect(decision).toMatchObject({ outcome: 'unknown', step: { do: 'ask_again' } })
  })

  test('not found proves nothing before send_before and the maximum time in flight have passed, however often', () => {
    const early = decide({
      source: 'status',
      meaning: 'never_received',
      askedAt: after(absenceCountsAfterSeconds - 1),
      attempt: { outcome: 'unknown', asks: 3, provenAbsences: 5 },
    })
    expect(early).toMatchObject({
      outcome: 'unknown',
      recordedAnswer: 'never_received_early',
      step: { do: 'ask_again', afterSeconds: 1 },
    })
  })

  test('not found is believed at its second counted look-up: failed with no supplier left, else the next one', () => {
    const askedAt = after(absenceCountsAfterSeconds)
    const first = { source: 'status', meaning: 'never_received', askedAt, attempt: { outcome: 'unknown', asks: 4 } } as const
    expect(decide(first)).toMatchObject({
      outcome: 'unknown',
      recordedAnswer: 'never_received',
      step: { do: 'ask_again', afterSeconds: 1 },
    })
    const second = { ...first, attempt: { ...first.attempt, provenAbsences: 1 } }
    expect(decide(second)).toMatchObject({ outcome: 'never_received', step: { do: 'fail' } })
    expect(decide({ ...second, otherRoutes: elsewhere }).step).toEqual({ do: 'send_elsewhere', route: elsewhere[0] })
  })

  test('not found never outweighs an earlier acknowledgement', () => {
    const decision = decide({
      source: 'status',
      meaning: 'never_received',
      askedAt: after(10_000),
      attempt: { outcome: 'accepted', asks: 9, provenAbsences: 9 },
    })
    expect(decision).toMatchObject({ outcome: 'accepted', step: { do: 'ask_again', holdReason: 'no_definitive_answer' } })
  })

  test('questions follow the schedule, the last delay repeats, and a person is called after the deadline while they go on', () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map(
      (asks) => decide({ source: 'status', meaning: 'unknown', attempt: { outcome: 'unknown', asks } }).step,
    )
    expect(delays.map((step) => step.do === 'ask_again' && step.afterSeconds)).toEqual([1, 2, 5, 10, 30, 30, 30])
    const late = decide({ source: 'status', meaning: 'unknown', askedAt: after(300), attempt: { outcome: 'unknown', asks: 20 } })
    expect(late.step).toEqual({ do: 'ask_again', afterSeconds: 30, holdReason: 'no_definitive_answer' })
  })
})

describe('a look-up that says unfulfilled', () => {
  /**
   * Proof takes two look-ups at least 25 s apart. The second one counts only from the 30th second, when nothing can be
   * in flight any more.
   */
  const patient: AskSchedule = { ...schedule, unfulfilledProofSeconds: 25 }
  const said = (askedAfter: number, since: number | null, attempt: Partial<Attempt> = {}) =>
    decide({
      source: 'status',
      meaning: 'unfulfilled',
      schedule: patient,
      askedAt: after(askedAfter),
      attempt: { outcome: 'accepted', asks: 4, ...attempt, unfulfilledSince: since === null ? null : after(since) },
    })

  test('proves nothing the first time, and is asked again when it can', () => {
    expect(said(1, null)).toEqual({
      outcome: 'accepted',
      recordedAnswer: 'unfulfilled',
      step: { do: 'ask_again', afterSeconds: 29, holdReason: null },
    })
    expect(said(10, null).step).toMatchObject({ afterSeconds: 25 })
  })

  test('proves nothing before its supplier’s time has passed since the first one, however often it is repeated', () => {
    expect(said(44, 20)).toMatchObject({ outcome: 'accepted', step: { do: 'ask_again', afterSeconds: 1 } })
    expect(said(44, 20, { asks: 100, outcome: 'unknown' })).toMatchObject({ outcome: 'unknown', step: { do: 'ask_again' } })
  })

  test('proves nothing while the request itself may still be on its way', () => {
    expect(said(29, 1)).toMatchObject({ step: { do: 'ask_again', afterSeconds: 1 } })
  })

  test('is a failure when it is repeated far enough apart', () => {
    expect(said(45, 20)).toEqual({ outcome: 'failed', recordedAnswer: 'unfulfilled', step: { do: 'fail' } })
    expect(said(30, 1)).toMatchObject({ outcome: 'failed' })
  })

  test('is never a failure where the supplier’s schedule does not say how far apart', () => {
    const attempt = { outcome: 'accepted', unfulfilledSince: after(0) } as const
    const decision = decide({ source: 'status', meaning: 'unfulfilled', askedAt: after(10_000), attempt })
    expect(decision).toMatchObject({ outcome: 'accepted', step: { do: 'ask_again' } })
  })

  test.each<AnswerSource>(['send', 'resend', 'callback'])('is no proof when it does not come by status but by %s', (source) => {
    const attempt = { outcome: 'accepted', unfulfilledSince: after(0) } as const
    const decision = decide({ source, meaning: 'unfulfilled', schedule: patient, askedAt: after(10_000), attempt })
    expect(decision.step.do).toBe('ask_again')
  })
})

describe('an answer that only sounds like a refusal of ourselves', () => {
  test('holds the order and asks: it is neither refunded nor sent again, here or elsewhere', () => {
    const answer: SupplierAnswer = { meaning: 'unknown', suspects: 'float', evidence: '4075' }
    const asked = { attempt: freshAttempt, source: 'send', answer, askedAt: after(0), schedule } as const
    expect(decideNextStep({ ...asked, otherRoutes: elsewhere, triedRoutes: [] })).toEqual({
      outcome: 'unknown',
      recordedAnswer: 'unknown',
      step: { do: 'ask_again', afterSeconds: 1, holdReason: 'platform_rejected' },
    })
  })
})
