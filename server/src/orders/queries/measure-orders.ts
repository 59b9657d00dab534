import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics/open-metrics.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import type { Work } from '../dispatch/work.ts'
import { isStuck } from '../schedule/stuck-condition.ts'
import type { SettledBatch } from '../settlement/settle-orders.ts'

const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What the door tells of each batch: its orders, and how long its transaction took. */
export type BatchMeasure = (orders: number, seconds: number) => void

/** Counts what the door places together. */
export function measureDoor(metrics: Metrics): BatchMeasure {
  const orders = metrics.histogram(
    'makola_door_batch_orders',
    'Orders asked for in one transaction of the door.',
    [],
    batchBuckets,
  )
  const duration = metrics.histogram(
    'makola_door_batch_duration_seconds',
    'Time of one transaction of the door.',
    [],
    commitBuckets,
  )
  return (count, seconds) => {
    orders.observe(count)
    duration.observe(seconds)
  }
}

/** What the worker's loop tells as it goes. */
export type LoopMeasure = {
  answered(work: Work, answer: SupplierAnswer, seconds: number): void
  settled(batch: SettledBatch): void
}

/** Counts calls to suppliers by what they answered, and orders by how they ended. */
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

/** How many orders are open in each state, how old the oldest is, and how many need a person. */
export function measureOpenOrders(metrics: Metrics, db: Db): () => Promise<void> {
  const open = metrics.gauge('makola_open_orders', 'Orders that have not ended, by state.', ['kind', 'status'])
  const age = metrics.gauge('makola_open_order_age_seconds', 'Age of the oldest order that has not ended.', ['route'])
  const stuck = metrics.gauge('makola_stuck_orders', 'Orders that need a person: `makola order list --stuck`.', ['route'])
  return async () => {
    const { rows } = await sql<{ kind: string; status: string; route: string; count: number; oldest: number; stuck: number }>`
      select orders.kind, orders.status, open_orders.route, count(*)::integer as count,
        extract(epoch from clock_timestamp() - min(orders.created_at))::float8 as oldest,
        (count(*) filter (where ${isStuck}))::integer as stuck
      from open_orders join orders on orders.id = open_orders.order_id
      group by orders.kind, orders.status, open_orders.route`.execute(db)
    for (const gauge of [open, age, stuck]) gauge.reset()
    const oldest = new Map<string, number>()
    for (const row of rows) {
      open.inc({ kind: row.kind, status: row.status }, row.count)
      stuck.inc({ route: row.route }, row.stuck)
      oldest.set(row.route, Math.max(oldest.get(row.route) ?? 0, row.oldest))
    }
    for (const [route, seconds] of oldest) age.set({ route }, seconds)
  }
}
