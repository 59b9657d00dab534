import type { AnswerMeaning, AskSchedule, SupplierAnswer } from '../../suppliers/ports.ts'
import type { Attempt } from '../attempt.ts'
import { type AnsweredAttempt, decideNextStep } from '../dispatch/decide-next-step.ts'

/** A supplier that is asked often at first; after five minutes an alarm is raised. */
export const schedule: AskSchedule = { delaysSeconds: [1, 2, 5, 10, 30], maximumInFlightSeconds: 20, raiseAfterSeconds: 300 }
export const begunAt = new Date('2026-01-01T00:00:00Z')
export const after = (seconds: number) => new Date(begunAt.getTime() + seconds * 1_000)

/** `send_before` is 10 s after the beginning, so an absence counts from the 30th second. */
export const absenceCountsAfterSeconds = 30

export const freshAttempt: Attempt = {
  orderId: '01900000-0000-7000-8000-000000000002',
  attemptNo: 1,
  supplier: 'datamart',
  outgoingReference: '0123456789abcdefghijklmno',
  expectedCostPesewas: null,
  supplierReference: null,
  sendBeforeAt: after(10),
  createdAt: begunAt,
  outcome: null,
  asks: 0,
  provenAbsences: 0,
  unfulfilledSince: null,
  callbackAnswers: [],
}

function answerOf(meaning: AnswerMeaning, isOurMistake: boolean): SupplierAnswer {
  const evidence = `said ${meaning}`
  if (meaning === 'rejected_request' && isOurMistake) return { meaning, isOurMistake, evidence }
  if (meaning === 'rejected_platform') return { meaning, cause: 'float', evidence }
  if (meaning === 'throttled') return { meaning, retryAfterSeconds: 7, evidence }
  return { meaning, evidence }
}

/** A case to decide: an answer, and the fields that differ from those of the first answer to a new attempt. */
export type Case = Partial<Omit<AnsweredAttempt, 'attempt' | 'answer'>> & {
  attempt?: Partial<Attempt>
  meaning: AnswerMeaning
  /** For a refused request: true when the mistake was ours. */
  isOurMistake?: boolean
}

export function decide({ attempt, meaning, isOurMistake = false, ...rest }: Case) {
  return decideNextStep({
    source: 'send',
    askedAt: after(0),
    schedule,
    otherRoutes: [],
    triedRoutes: [],
    ...rest,
    attempt: { ...freshAttempt, ...attempt },
    answer: answerOf(meaning, isOurMistake),
  })
}

export const elsewhere = ['second/data/MTN']
