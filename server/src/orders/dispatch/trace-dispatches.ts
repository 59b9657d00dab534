import { spanNow, type Tracing } from '../../platform/tracing/tracing.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import type { Settlement } from '../settlement/settle-attempts.ts'
import type { LoopMeasure } from './measure-loop.ts'
import type { Work } from './perform-work.ts'

type AnsweredCall = {
  readonly claimedAt: number
  readonly calledAt: number
  readonly answeredAt: number
  readonly call: Work['call']
  readonly meaning: SupplierAnswer['meaning']
}

/** At most this many answers are kept until their settlement comes. One more removes the oldest. */
const answersMax = 10_000

const keyOf = (orderId: string, leaseNo: number) => `${orderId} ${leaseNo}`

/**
 * Traces each dispatch from the claim of its order to the commit of the answer, with the call to the supplier in between. The
 * time of the claim is from the database's clock.
 */
export function traceDispatches(tracing: Tracing): LoopMeasure {
  const answered = new Map<string, AnsweredCall>()

  function recordSettlement({ order, leaseNo, attempt, decision }: Settlement, settledAt: number, isLate: boolean): void {
    const key = keyOf(order.id, leaseNo)
    const call = answered.get(key)
    if (!call) return
    answered.delete(key)
    const orderId = order.id
    const spanId = tracing.note({
      orderId,
      name: 'dispatch',
      parent: 'purchase',
      startedAt: Math.min(call.claimedAt, call.calledAt),
      endedAt: settledAt,
      hasFailed: decision.step.do === 'fail',
      attributes: {
        'makola.product': order.kind,
        'makola.supplier': attempt.supplier,
        'makola.attempt': attempt.attemptNo,
        'makola.step': decision.step.do,
        'makola.is_late': isLate,
      },
    })
    const parent = { spanId }
    const { calledAt, answeredAt } = call
    const attributes = { 'makola.supplier': attempt.supplier, 'makola.call': call.call, 'makola.answer': call.meaning }
    tracing.note({ orderId, name: 'supplier call', parent, startedAt: calledAt, endedAt: answeredAt, attributes })
    tracing.note({ orderId, name: 'settlement', parent, startedAt: answeredAt, endedAt: settledAt, attributes: {} })
  }

  return {
    answered({ claimed, call }, { meaning }, seconds) {
      const answeredAt = spanNow()
      const [oldest] = answered.size >= answersMax ? answered.keys() : []
      if (oldest !== undefined) answered.delete(oldest)
      const claimedAt = claimed.claimedAt.getTime()
      answered.set(keyOf(claimed.order.id, claimed.leaseNo), {
        claimedAt,
        calledAt: answeredAt - seconds * 1_000,
        answeredAt,
        call,
        meaning,
      })
    },
    settled({ settled, late }) {
      const settledAt = spanNow()
      for (const settlement of settled) recordSettlement(settlement, settledAt, false)
      for (const settlement of late) recordSettlement(settlement, settledAt, true)
    },
  }
}

export const measureInAll = (measures: readonly LoopMeasure[]): LoopMeasure => ({
  answered(work, answer, seconds) {
    for (const measure of measures) measure.answered(work, answer, seconds)
  },
  settled(batch) {
    for (const measure of measures) measure.settled(batch)
  },
})
