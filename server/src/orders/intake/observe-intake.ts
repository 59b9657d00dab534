import type { Metrics } from '../../platform/metrics/open-metrics.ts'
import { presentRequest } from '../../platform/tracing/follow-requests.ts'
import { spanNow, type Tracing } from '../../platform/tracing/tracing.ts'
import type { BatchMeasure } from './call-queue.ts'
import type { Intake } from './place-orders.ts'

const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export function measureIntake(metrics: Metrics): BatchMeasure {
  const orders = metrics.histogram('makola_intake_batch_orders', 'Orders asked for in one batch of the intake.', [], batchBuckets)
  const duration = metrics.histogram(
    'makola_intake_batch_duration_seconds',
    'Time of one batch of the intake.',
    [],
    commitBuckets,
  )
  return (count, seconds) => {
    orders.observe(count)
    duration.observe(seconds)
  }
}

/** Traces each new order from the request's arrival to the answer of its COMMIT, and the intake's part of that time. */
export function tracePurchases(intake: Intake, tracing: Tracing): Intake {
  const { queue } = intake
  return {
    ...intake,
    queue: {
      ...queue,
      async submit(call) {
        const request = presentRequest()
        const submittedAt = spanNow()
        const outcome = await queue.submit(call)
        const committedAt = spanNow()
        if ('refusal' in outcome) return outcome
        for (const { order, isReplay } of outcome.placements) {
          // Only the request that placed the order is traced, not its repeats.
          if (isReplay) continue
          const attributes = { 'makola.product': order.kind, 'http.route': request?.route }
          tracing.note({
            orderId: order.id,
            name: 'purchase',
            parent: 'none',
            startedAt: request?.startedAt ?? submittedAt,
            endedAt: committedAt,
            attributes,
            callerLink: request?.callerLink,
          })
          tracing.note({
            orderId: order.id,
            name: 'intake',
            parent: 'purchase',
            startedAt: submittedAt,
            endedAt: committedAt,
            attributes: { 'makola.orders_in_call': call.items.length },
          })
        }
        return outcome
      },
    },
  }
}
