import { backOff } from '../../platform/back-off.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Hints } from '../../platform/polling/listen-for-hints.ts'
import { openPollPace, type PollPace } from '../../platform/polling/poll-pace.ts'
import type { AskDue } from '../../platform/polling/share-polls.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { PlatformCause, SupplierAnswer } from '../../suppliers/ports.ts'
import { parseRouteName } from '../../suppliers/route-ports.ts'
import { isSendable } from '../../suppliers/routes/load-routes.ts'
import type { PlatformRejection } from '../../suppliers/routes/report-platform-rejection.ts'
import type { Attempt } from '../attempt.ts'
import type { ProductFacts } from '../product-facts.ts'
import { type ClaimFilter, isOrderDue, listDueRoutes } from '../schedule/claim-open-orders.ts'
import { releaseReopenedRoutes } from '../schedule/release-orders.ts'
import type { SettledBatch } from '../settlement/settle-attempts.ts'
import { concludeWork } from './conclude-work.ts'
import { type HoldNewOrders, holdNewOrders } from './hold-new-orders.ts'
import { listOpenRoutesElsewhere } from './list-other-routes.ts'
import { logSettled } from './log-settled.ts'
import type { LoopMeasure } from './measure-loop.ts'
import { performWork, type Work } from './perform-work.ts'
import { type Plan, type PlanDeps, planWork } from './plan-work.ts'
import { createSentOrderCache, type SentOrderCache } from './sent-order-cache.ts'
import { openSettlementQueue, type SettlementQueue } from './settlement-queue.ts'
import { createSupplierLane, type SupplierLane } from './supplier-lane.ts'

export type OrderLoopDeps = PlanDeps & {
  readonly db: Db
  readonly settings: Settings
  readonly products: readonly ProductFacts[]
  /** Called when the answer to a send shows or suggests that the supplier refuses us, for the health of routes. */
  readonly onPlatformRejected: (rejection: PlatformRejection) => void
  /** Called after every send, for the health of routes. */
  readonly onSent?: (sent: { readonly route: string; readonly answer: SupplierAnswer }) => void
  readonly sent?: { add(attempt: Attempt): void } | undefined
  /** Called for every answer and every commit. */
  readonly measure?: LoopMeasure | undefined
  readonly hints?: Hints | undefined
  /** Asks whether an order is due while the loop rests. Other loops share the query. */
  readonly askDue?: AskDue
}

export type OrderLoop = {
  /** Looks for due orders at once instead of at the next tick. */
  wake(): void
  /** Stops claiming. Waits up to `callSeconds` for calls in flight, then up to `commitSeconds` for commits of their answers. */
  stop(limits: { callSeconds: number; commitSeconds: number }): Promise<void>
}

/** Milliseconds between two reads of the schedule while the worker has work. A worker without work reads it less often. */
const pollMilliseconds = 150
const backOffMillisecondsMax = 5_000

/** One claim moves at most this many orders off a closed route. */
const movedPerClaimMax = 256

/** While this many answers wait for the database, orders are claimed only to move them off closed routes. */
const unsettledMax = 2_000

type LoopState = {
  readonly lanes: Map<string, SupplierLane>
  readonly running: Set<Promise<void>>
  readonly queue: SettlementQueue
  readonly sentOrders: SentOrderCache
  readonly stopping: AbortController
  isStopping: boolean
  /** How many times in a row a claim or a read of the schedule failed. */
  failures: number
  /** The routes that were open when the schedule was last read. */
  openRoutes: Set<string>
  readonly holdNew: HoldNewOrders
  readonly pace: PollPace
}

function track(state: LoopState, promise: Promise<void>): void {
  state.running.add(promise)
  void promise.finally(() => state.running.delete(promise))
}

/** The cause, when an answer shows or suggests that the supplier refuses us and not only this order. */
function refusalOfUs(answer: SupplierAnswer): PlatformCause | undefined {
  if (answer.meaning === 'rejected_platform') return answer.cause
  return answer.meaning === 'unknown' ? answer.suspects : undefined
}

/** True: nothing is claimed or called. Checked before each call, because the commit before it may show that history went back. */
const isHalted = ({ history }: OrderLoopDeps, { isStopping }: LoopState) => isStopping || history?.isSalesStopped() === true

async function answerFor(deps: OrderLoopDeps, state: LoopState, work: Work): Promise<SupplierAnswer> {
  if (isHalted(deps, state) && work.call !== 'callback') {
    return { meaning: work.call === 'send' ? 'not_sent' : 'unknown', evidence: 'the worker was stopping' }
  }
  const startedAt = performance.now()
  if (work.call === 'send') deps.sent?.add(work.attempt)
  const answer = await performWork(work, state.stopping.signal)
  deps.measure?.answered(work, answer, (performance.now() - startedAt) / 1_000)
  if (work.call === 'send') deps.onSent?.({ route: work.claimed.route, answer })
  const cause = refusalOfUs(answer)
  if (cause !== undefined && work.call === 'send') {
    const { order, route } = work.claimed
    deps.onPlatformRejected({ route, orderId: order.id, cause })
  }
  return answer
}

async function call(deps: OrderLoopDeps, state: LoopState, lane: SupplierLane, work: Work): Promise<void> {
  const startedAt = performance.now()
  lane.started()
  try {
    const answer = await answerFor(deps, state, work)
    const settlement = await concludeWork(deps, work, answer)
    state.sentOrders.recordCall(settlement, work)
    state.queue.add(settlement)
  } catch (error) {
    // The attempt has no answer now. When the lease ends, a worker asks the supplier.
    deps.log.error({ err: error, reference: work.claimed.order.reference }, 'an answer could not be settled')
  } finally {
    lane.ended(performance.now() - startedAt)
    claimMoreForLane(deps, state, lane)
  }
}

function startWork(deps: OrderLoopDeps, state: LoopState, lane: SupplierLane, route: string, plan: Plan): void {
  for (const { claimed, step } of plan.holds) {
    // The order is held for the same reason as before: that is not worth a warning.
    const level = claimed.holdReason === step.holdReason ? 'debug' : 'warn'
    deps.log[level]({ reference: claimed.order.reference, route, holdReason: step.holdReason }, 'an order has to wait')
  }
  for (const work of plan.work) track(state, call(deps, state, lane, work))
}

/**
 * Moves orders that wait to be sent from closed routes to open ones, or holds them where no other route is open. Calls no
 * supplier, so it works even while calls that hang take every slot of the supplier.
 * @returns for each route on which orders are held, which of its orders may still be claimed; new ones may not
 */
async function moveOrdersOffClosedRoutes(deps: OrderLoopDeps, state: LoopState, lane: SupplierLane) {
  const claimableByRoute = new Map<string, ClaimFilter>()
  for (const route of lane.routes) {
    const known = deps.routes.find(route)
    if (known === undefined || isSendable(known) || state.isStopping) continue
    const isOpenElsewhere = () => listOpenRoutesElsewhere(deps, { route, triedSuppliers: [] }).length > 0
    if (!isOpenElsewhere() && deps.registry.find(known.supplier)) {
      claimableByRoute.set(route, await state.holdNew(known))
      // If a route opened meanwhile, this makes the next read of the schedule release the orders that wait for it.
      if (isSendable(deps.routes.find(route) ?? known) || isOpenElsewhere()) state.openRoutes.clear()
      continue
    }
    const plan = await planWork(deps, deps.db, route, movedPerClaimMax, 'unsent')
    if (plan.claimedCount >= movedPerClaimMax) lane.mayHaveMore = true
    startWork(deps, state, lane, route, plan)
  }
  return claimableByRoute
}

/** Claims what the lane has room for, route after route, and starts the calls. */
async function claim(deps: OrderLoopDeps, state: LoopState, lane: SupplierLane) {
  const claimableByRoute = await moveOrdersOffClosedRoutes(deps, state, lane)
  for (const route of lane.inTurn()) {
    const limit = Math.min(lane.room(deps.registry.find(lane.supplierName)), unsettledMax - state.queue.size())
    if (limit <= 0 || isHalted(deps, state)) {
      lane.mayHaveMore = true
      return
    }
    const plan = await planWork(deps, deps.db, route, limit, claimableByRoute.get(route))
    if (plan.claimedCount >= limit) lane.mayHaveMore = true
    startWork(deps, state, lane, route, plan)
  }
}

function mayClaim(deps: OrderLoopDeps, state: LoopState, lane: SupplierLane): boolean {
  if (isHalted(deps, state) || state.failures > 0 || state.queue.size() >= unsettledMax) return false
  return lane.isWorthClaiming(deps.registry.find(lane.supplierName))
}

/**
 * Claims for one supplier. Each supplier has a lane of its own, so a lane that waits for the database or for a call
 * does not delay the others.
 */
async function claimForLane(deps: OrderLoopDeps, state: LoopState, lane: SupplierLane) {
  lane.isClaiming = true
  try {
    do {
      lane.mayHaveMore = false
      await claim(deps, state, lane)
      state.failures = 0
    } while (lane.mayHaveMore && mayClaim(deps, state, lane))
  } catch (error) {
    state.failures += 1
    deps.log.warn({ err: error, supplier: lane.supplierName }, 'orders could not be claimed')
  } finally {
    lane.isClaiming = false
  }
}

/** Goes on claiming after a claim that was full, without looking at the whole schedule again. */
function claimMoreForLane(deps: OrderLoopDeps, state: LoopState, lane: SupplierLane): void {
  if (!lane.mayHaveMore || lane.isClaiming || !mayClaim(deps, state, lane)) return
  track(state, claimForLane(deps, state, lane))
}

/** When a route has opened, makes due the orders that wait on it or on another route of its product and network. */
async function releaseReopened(deps: OrderLoopDeps, state: LoopState): Promise<void> {
  const routes = deps.routes.list()
  const open = new Set(routes.filter(isSendable).map(({ name }) => name))
  const reopened = routes.filter(({ name }) => open.has(name) && !state.openRoutes.has(name))
  const served = new Set(reopened.map(({ product, network }) => `${product}/${network}`))
  await releaseReopenedRoutes(
    deps.db,
    routes.filter(({ product, network }) => served.has(`${product}/${network}`)).map(({ name }) => name),
  )
  state.openRoutes = open
}

async function pollSchedule(deps: OrderLoopDeps, state: LoopState): Promise<void> {
  try {
    if (isHalted(deps, state)) return
    await releaseReopened(deps, state)
    const due = (await state.pace.mayFind(isOrderDue)) ? await listDueRoutes(deps.db) : []
    if (due.length > 0 || state.running.size > 0) state.pace.recordWork()
    for (const [supplierName, routes] of Map.groupBy(due, (route) => parseRouteName(route)?.supplier ?? '')) {
      const lane = state.lanes.get(supplierName) ?? createSupplierLane(supplierName)
      state.lanes.set(supplierName, lane)
      lane.routes = routes
      if (!lane.isClaiming && !state.isStopping) track(state, claimForLane(deps, state, lane))
    }
    state.failures = 0
  } catch (error) {
    state.failures += 1
    deps.log.warn({ err: error }, 'the schedule could not be read')
  }
}

function restMilliseconds(state: LoopState, isWoken: boolean): number {
  if (state.failures > 0) return backOff(state.failures, { first: pollMilliseconds, most: backOffMillisecondsMax })
  return isWoken ? 1 : state.pace.pauseMilliseconds()
}

/** Runs the loop until it is stopped: claims due orders, calls suppliers and commits their answers. */
export function runOrderLoop(given: OrderLoopDeps): OrderLoop {
  const sentOrderCache = createSentOrderCache()
  const deps = { ...given, findCached: sentOrderCache.find }
  const onSettled = (batch: SettledBatch) => {
    sentOrderCache.addCommitted(batch)
    logSettled(deps.log, batch)
    deps.measure?.settled(batch)
  }
  const queue = openSettlementQueue({ db: deps.db, log: deps.log, onSettled })
  let timer: NodeJS.Timeout | undefined
  let runningPoll: Promise<void> | undefined
  let isWoken = false
  const state: LoopState = {
    lanes: new Map(),
    running: new Set(),
    queue,
    sentOrders: sentOrderCache,
    stopping: new AbortController(),
    isStopping: false,
    failures: 0,
    openRoutes: new Set(),
    holdNew: holdNewOrders(deps),
    pace: openPollPace(pollMilliseconds, deps.hints, deps.askDue),
  }

  function wake(): void {
    if (state.isStopping) return
    // After a failure only the timer tries again, so that hints do not flood a database that does not answer.
    if (runningPoll || state.failures > 0) {
      isWoken = true
      return
    }
    startPoll()
  }

  function startPoll(): void {
    clearTimeout(timer)
    runningPoll = pollSchedule(deps, state).finally(() => {
      runningPoll = undefined
      if (!state.isStopping) timer = setTimeout(startPoll, restMilliseconds(state, isWoken))
      isWoken = false
    })
  }

  deps.hints?.onHint(wake)
  startPoll()
  return {
    wake,
    stop: async ({ callSeconds, commitSeconds }) => {
      state.isStopping = true
      clearTimeout(timer)
      await runningPoll
      const giveUp = setTimeout(() => state.stopping.abort(), callSeconds * 1_000)
      while (state.running.size > 0) await Promise.allSettled(state.running)
      clearTimeout(giveUp)
      await queue.drain(commitSeconds)
    },
  }
}
