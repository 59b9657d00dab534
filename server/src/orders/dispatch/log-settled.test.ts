import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import { pauseRoutesByHand } from '../../suppliers/routes/write-route.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { until } from './order-bench.fixture.ts'
import { type OrderLoop, runOrderLoop } from './run-order-loop.ts'
import { openStubAdapter, type Stub } from './stub-supplier.fixture.ts'

const desk = setUpOrders()
const usualSchedule = { delaysSeconds: [0.05], maximumInFlightSeconds: 0, raiseAfterSeconds: 3_600 }

let lines: { level: number; msg: string }[]
let loop: OrderLoop

beforeEach(() => {
  lines = []
})
afterEach(() => loop.stop({ callSeconds: 0, commitSeconds: 5 }))

function start(stub: Stub, askSchedule = usualSchedule): void {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) })
  loop = runOrderLoop({ ...desk.bench.depsFor([openStubAdapter(stub.url, { askSchedule })]), log })
}

const said = (text: string) => lines.filter(({ msg }) => msg === text).length

test('an order that nobody can say anything about is logged once in each state, however often it is asked about', async () => {
  desk.leaveOpen('the supplier never says how the order ended')
  const stub = await desk.startStub(({ call }) => (call === 'send' ? 'drop' : { meaning: 'unknown', evidence: '500' }))
  await desk.place()
  start(stub, { ...usualSchedule, raiseAfterSeconds: 0.5 })
  await until(() => said('an order is without a definitive answer for too long') > 0)
  const asked = stub.requests.length
  await until(() => stub.requests.length > asked + 20)
  expect(said('an order is without a definitive answer for too long')).toBe(1)
  // Each order logs its first answer, unless that answer came so late that the other line was written for it.
  expect(lines.length - 1).toBe(said('a supplier answered'))
  expect(lines.length).toBeLessThanOrEqual(2)
})

test('a change of what is known is logged: taken, then delivered', async () => {
  const answers: SupplierAnswer[] = [
    { meaning: 'unknown', evidence: '500' },
    { meaning: 'accepted', evidence: 'pending' },
    { meaning: 'accepted', evidence: 'pending' },
    { meaning: 'delivered', evidence: 'completed' },
  ]
  const stub = await desk.startStub(({ call, timesAsked }) => (call === 'send' ? 'drop' : (answers[timesAsked - 1] ?? 'drop')))
  await desk.place()
  start(stub)
  await until(() => stub.requests.length === 5)
  await until(() => said('a supplier answered') >= 3)
  expect(lines).toMatchObject([
    { outcome: 'unknown', step: 'ask_again' },
    { outcome: 'accepted', step: 'ask_again' },
    { outcome: 'delivered', step: 'complete' },
  ])
})

test('an order that a supplier refuses again and again for our sake is logged once', async () => {
  desk.leaveOpen('the supplier refuses us for ever')
  const stub = await desk.startStub(() => ({ meaning: 'rejected_platform', cause: 'float', evidence: 'no float' }))
  await desk.place()
  start(stub)
  await until(() => stub.requests.length > 10)
  expect(lines.map(({ msg }) => msg)).toEqual(['a supplier answered'])
})

test('an order that waits for its route is logged once, however often it is looked at', async () => {
  desk.leaveOpen('the route stays paused')
  const stub = await desk.startStub(() => 'hang')
  const order = await desk.place()
  await pauseRoutesByHand(desk.db, { supplier: 'stub' }, { reason: 'test', seconds: null }, 'test')
  await until(() => desk.bench.routes.find('stub/data/MTN')?.health.state === 'paused')
  start(stub)
  const lookAgain = async () => {
    const { rows } = await sql<{ lease_no: number }>`
      update open_orders set next_step_at = clock_timestamp() where order_id = ${order.orderId} returning lease_no`.execute(
      desk.db,
    )
    return rows[0]?.lease_no ?? 0
  }
  await until(async () => (await lookAgain()) > 8)
  expect(lines.map(({ msg }) => msg)).toEqual(['orders have to wait until their route opens'])
})
