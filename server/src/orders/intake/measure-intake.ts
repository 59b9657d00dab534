import type { Metrics } from '../../platform/metrics/open-metrics.ts'

const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Called after each batch with the number of its orders and the seconds that the batch took. */
export type BatchMeasure = (orders: number, seconds: number) => void

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
