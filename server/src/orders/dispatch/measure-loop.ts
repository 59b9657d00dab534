import type { Metrics } from '../../platform/metrics/open-metrics.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import type { SettledBatch } from '../settlement/settle-attempts.ts'
import type { Work } from './perform-work.ts'

const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type LoopMeasure = {
  answered(work: Work, answer: SupplierAnswer, seconds: number): void
  settled(batch: SettledBatch): void
}

/** Counts calls to suppliers by their answers, and orders by their ends. */
export function measureLoop(metrics: Metrics): LoopMeasure {
  const calls = metrics.counter('makola_supplier_calls_total', 'Calls to suppliers, by what the answer meant.', [
    'supplier',
    'call',
    'outcome',
  ])
  const duration = metrics.histogram(
    'makola_supplier_call_duration_seconds',
    'Time from the call to its answer.',
    ['supplier', 'call'],
    callBuckets,
  )
  const ended = metrics.counter('makola_orders_ended_total', 'Orders that a supplier’s answer ended.', [
    'kind',
    'supplier',
    'end',
  ])
  const late = metrics.counter('makola_late_answers_total', 'Answers that came after their lease.', ['supplier'])
  return {
    answered: ({ supplier, call }, answer, seconds) => {
      calls.inc({ supplier: supplier.name, call, outcome: answer.meaning })
      duration.observe({ supplier: supplier.name, call }, seconds)
    },
    settled: (batch) => {
      for (const { order, attempt, decision } of batch.settled) {
        const end = decision.step.do === 'complete' ? 'completed' : decision.step.do === 'fail' ? 'failed' : undefined
        if (end !== undefined) ended.inc({ kind: order.kind, supplier: attempt.supplier, end })
      }
      for (const { attempt } of batch.late) late.inc({ supplier: attempt.supplier })
    },
  }
}
