import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { isSendable } from '../suppliers/choose-route.ts'
import type { PlatformCause, SupplierAnswer } from '../suppliers/ports.ts'
import { parseRouteName } from '../suppliers/route-name.ts'
import { listDueRoutes } from './claim-open-orders.ts'
import { concludeWork } from './conclude-work.ts'
import { performWork } from './perform-work.ts'
import { type PlanDeps, planWork } from './plan-work.ts'
import { releaseReopenedRoutes } from './release-reopened-routes.ts'
import type { SettledBatch } from './settle-orders.ts'
import { openSettlementQueue } from './settlement-queue.ts'
import { openSupplierLane, type SupplierLane } from './supplier-lane.ts'
import type { Work } from './work.ts'

/** A supplier refused us, not the order. */
export type PlatformRejected = {
  readonly supplier: string
  readonly route: string
  readonly orderId: string
  readonly cause: PlatformCause
}

export type OrderLoopDeps = PlanDeps & {
  readonly db: Db
  readonly log: Logger
  readonly settings: Settings
  /** Tells the health of routes that a supplier refused us, not the order. */
  readonly onPlatformRejected: (rejection: PlatformRejected) => void
}

/** The running loop of one worker process. */
export type OrderLoop = {
  /** Looks for due orders at once instead of at the next tick. */
  wake(): void
  /** Stops claiming, lets calls in flight end, commits their answers. */
  stop(limits: { callSeconds: number; commitSeconds: number }): Promise<void>
}

/** How long an idle worker rests between two looks at the schedule. */
const pollMilliseconds = 150
const backOffMillisecondsMax = 5_000

/** Answers waiting for the database beyond this many stop the claiming of more work. */
const unsettledMax = 2_000

/** Starts claiming due orders, calling suppliers and committing what they answer, until it is stopped. */
export function runOrderLoop(deps: OrderLoopDeps): OrderLoop {
  const { db, log } = deps
  const lanes = new Map<string, SupplierLane>()
  const calls = new Set<Promise<void>>()
  const stopping = new AbortController()
  let isStopping = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isWoken = false
  let openRoutes: ReadonlySet<string> = new Set()

  const queue = openSettlementQueue({ db, log, onSettled: (batch) => logSettled(log, batch) })

  function laneOf(supplierName: string): SupplierLane {
    const lane = lanes.get(supplierName) ?? openSupplierLane()
    lanes.set(supplierName, lane)
    return lane
  }

  async function call(lane: SupplierLane, work: Work): Promise<void> {
    const startedAt = performance.now()
    lane.started()
    try {
      const answer: SupplierAnswer = isStopping
        ? { meaning: work.call === 'send' ? 'not_sent' : 'unknown', evidence: 'the worker was stopping' }
        : await performWork(work, stopping.signal)
      if (answer.meaning === 'rejected_platform' && work.call === 'send') {
        const { order, route } = work.claimed
        deps.onPlatformRejected({ supplier: work.supplier.name, route, orderId: order.id, cause: answer.cause })
      }
      queue.add(await concludeWork(deps, work, answer))
    } catch (error) {
      // The attempt stays without an answer: it is asked about when the lease ends.
      log.error({ err: error, reference: work.claimed.order.reference }, 'an answer could not be weighed')
    } finally {
      lane.ended(performance.now() - startedAt)
      if (lane.isHungry) wake()
    }
  }

  /** One lane claims for one supplier; a lane that waits for the database or a call keeps no other waiting. */
  async function feed(lane: SupplierLane, supplierName: string, routes: readonly string[]): Promise<void> {
    lane.isClaiming = true
    lane.isHungry = false
    try {
      for (const route of lane.inTurn(routes)) {
        const limit = Math.min(lane.room(deps.registry.find(supplierName)), unsettledMax - queue.size())
        if (limit <= 0 || isStopping) {
          lane.isHungry = true
          return
        }
        const plan = await planWork(deps, db, route, limit)
        if (plan.claimedCount >= limit) lane.isHungry = true
        for (const { claimed, step } of plan.holds) {
          log.warn({ reference: claimed.order.reference, route, holdReason: step.holdReason }, 'an order has to wait')
        }
        for (const work of plan.work) track(call(lane, work))
      }
      failures = 0
    } catch (error) {
      failures += 1
      log.warn({ err: error, supplier: supplierName }, 'orders could not be claimed')
    } finally {
      lane.isClaiming = false
    }
    if (lane.isHungry && failures === 0) wake()
  }

  function track(running: Promise<void>): void {
    calls.add(running)
    void running.finally(() => calls.delete(running))
  }

  /** Orders that were held for a pause go on as soon as this process sees their route open. */
  async function releaseReopened(): Promise<void> {
    const open = new Set(
      deps.routes
        .list()
        .filter(isSendable)
        .map(({ name }) => name),
    )
    const reopened = [...open].filter((name) => !openRoutes.has(name))
    await releaseReopenedRoutes(db, reopened)
    openRoutes = open
  }

  async function look(): Promise<void> {
    try {
      await releaseReopened()
      const due = await listDueRoutes(db)
      const bySupplier = Map.groupBy(due, (route) => parseRouteName(route)?.supplier ?? '')
      for (const [supplierName, routes] of bySupplier) {
        const lane = laneOf(supplierName)
        if (!lane.isClaiming && !isStopping) track(feed(lane, supplierName, routes))
      }
      failures = 0
    } catch (error) {
      failures += 1
      log.warn({ err: error }, 'the schedule could not be read')
    }
  }

  function wake(): void {
    if (isStopping) return
    if (looking) {
      isWoken = true
      return
    }
    clearTimeout(timer)
    looking = look().finally(() => {
      looking = undefined
      if (isStopping) return
      const rest =
        failures > 0 ? Math.min(backOffMillisecondsMax, pollMilliseconds * 2 ** Math.min(failures, 10)) : pollMilliseconds
      timer = setTimeout(wake, isWoken && failures === 0 ? 1 : rest)
      isWoken = false
    })
  }

  wake()
  return {
    wake,
    stop: async ({ callSeconds, commitSeconds }) => {
      isStopping = true
      clearTimeout(timer)
      await looking
      const giveUp = setTimeout(() => stopping.abort(), callSeconds * 1_000)
      while (calls.size > 0) await Promise.allSettled(calls)
      clearTimeout(giveUp)
      await queue.drain(commitSeconds)
    },
  }
}

function logSettled(log: Logger, { settled, late }: SettledBatch): void {
  for (const { order, attempt, decision } of settled) {
    const fields = { reference: order.reference, supplier: attempt.supplier, outcome: decision.outcome, step: decision.step.do }
    if ('holdReason' in decision.step && decision.step.holdReason === 'no_definitive_answer') {
      log.error(fields, 'an order is without a definitive answer for too long')
    } else {
      log.info(fields, 'a supplier answered')
    }
  }
  for (const { order, attempt, decision } of late) {
    log.warn(
      { reference: order.reference, supplier: attempt.supplier, answer: decision.recordedAnswer },
      'an answer came after its lease',
    )
  }
}
