import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Pesewas } from '../../money/pesewas.ts'
import { raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { SalesStop } from '../../platform/history/history-watch.ts'
import { startSendDeadline } from '../../suppliers/calling/start-send-deadline.ts'
import type { Supplier, SupplierRegistry } from '../../suppliers/ports.ts'
import { parseRouteName, type Routes } from '../../suppliers/route-ports.ts'
import { isSendable } from '../../suppliers/routes/load-routes.ts'
import type { Attempt } from '../attempt.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { HoldReason } from '../next-step.ts'
import { pesewasOf } from '../order.ts'
import { isEnded } from '../order-life-cycle.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import { type ClaimedOrder, type ClaimFilter, claimOpenOrders, type FindCachedOrder } from '../schedule/claim-open-orders.ts'
import { giveBackLeases } from '../schedule/leases.ts'
import { type OrderRelease, releaseOrders } from '../schedule/release-orders.ts'
import { askFirst, supplierToAskFirst } from './ask-first.ts'
import { beginAttempts, beginLookUps, beginResends, type ExpectedCosts, sendWindowSeconds } from './begin-attempts.ts'
import { type ClaimedStep, decideClaimedStep } from './decide-claimed-step.ts'
import { findUnofferedOrders } from './find-unoffered-orders.ts'
import { isClosedByOurMistake } from './hold-new-orders.ts'
import { listOtherRoutes } from './list-other-routes.ts'
import type { Work } from './perform-work.ts'

export type PlanDeps = {
  /** While `isSalesStopped` returns true, nothing is claimed or sent. */
  readonly history?: SalesStop | undefined
  readonly log: Logger
  readonly routes: Routes
  readonly registry: SupplierRegistry
  readonly fulfilments: ReadonlyMap<string, Fulfilment>
  readonly products: readonly ProductFacts[]
  /** Finds an order among those that this process has sent and still keeps. Absent: every order is read from the database. */
  readonly findCached?: FindCachedOrder
}

export type PlannedHold = { readonly claimed: ClaimedOrder; readonly step: ClaimedStep & { do: 'hold' } }

/** The calls to make now, and the orders that must wait. */
export type Plan = { readonly claimedCount: number; readonly work: readonly Work[]; readonly holds: readonly PlannedHold[] }

/** A claimed order. Its supplier and fulfilment are looked up once, because they may change while we wait for the database. */
type Candidate = {
  readonly claimed: ClaimedOrder
  readonly supplier: Supplier | undefined
  readonly fulfilment: Fulfilment | undefined
}

/**
 * `here`: the supplier of the order's route offers what was ordered. `elsewhere`: only other suppliers do. `nowhere`: none
 * does.
 */
type Offered = 'here' | 'elsewhere' | 'nowhere'

type Planned = Candidate & {
  readonly step: ClaimedStep
  /** True when the order is held because of our own mistake. */
  readonly isOurMistake: boolean
}

function routeState(routes: Routes, name: string): 'open' | 'paused' | 'missing' {
  const route = routes.find(name)
  if (!route) return 'missing'
  return isSendable(route) ? 'open' : 'paused'
}

function candidateOf(deps: PlanDeps, claimed: ClaimedOrder): Candidate {
  // An attempt is asked about at the supplier that got it, whatever the order's present route.
  const supplierName = claimed.attempt?.supplier ?? parseRouteName(claimed.route)?.supplier
  return {
    claimed,
    supplier: supplierName === undefined ? undefined : deps.registry.find(supplierName),
    fulfilment: deps.fulfilments.get(claimed.order.kind),
  }
}

function decide(deps: PlanDeps, candidate: Candidate, offered: Offered, otherRoutes: readonly string[]): Planned {
  const { claimed, supplier, fulfilment } = candidate
  const step = decideClaimedStep({
    status: claimed.order.status,
    attempt: claimed.attempt,
    supplier:
      supplier && fulfilment
        ? {
            resendClass: supplier.resendClass,
            resendSafeSeconds: supplier.resendSafeSeconds,
            needsItsOwnReference: supplier.statusNeedsSupplierReference === true,
            callbackIsProof: supplier.callbackIsProof === true,
          }
        : undefined,
    route: routeState(deps.routes, claimed.route),
    toAskFirst: supplierToAskFirst(deps, claimed),
    isOffered: offered === 'here',
    otherRoutes,
    claimedAt: claimed.claimedAt,
  })
  return { ...candidate, step, isOurMistake: step.do === 'hold' && isOurs(deps, claimed, step.holdReason, offered) }
}

/**
 * True when the order waits because of our own mistake: the supplier refused our account, or no supplier offers what was
 * sold. Time alone does not mend either.
 */
function isOurs({ routes }: PlanDeps, { route, attempt }: ClaimedOrder, holdReason: HoldReason, offered: Offered): boolean {
  if (attempt) return false
  if (holdReason === 'not_offered') return offered === 'nowhere'
  const known = routes.find(route)
  return holdReason === 'route_paused' && known !== undefined && isClosedByOurMistake(known)
}

function waitsToBeSent({ attempt, order }: ClaimedOrder): boolean {
  return attempt === null && order.status !== 'queued' && !isEnded(order.status)
}

async function decideAll(deps: PlanDeps, db: Db, claims: readonly ClaimedOrder[]): Promise<Planned[]> {
  const candidates = claims.map((claimed) => candidateOf(deps, claimed))
  const waiting = candidates.filter(({ claimed }) => waitsToBeSent(claimed))
  const unoffered = await findUnofferedOrders(
    db,
    waiting.map(({ claimed: { order, route }, fulfilment }) => ({ order, route, fulfilment })),
  )
  const offered = ({ claimed }: Candidate): Offered => unoffered.get(claimed.order.id) ?? 'here'
  const planned = candidates.map((candidate) => decide(deps, candidate, offered(candidate), []))
  // Other routes are looked up only for orders that wait to be sent and cannot go out where they are.
  const stranded = planned.filter(({ claimed, step }) => step.do === 'hold' && waitsToBeSent(claimed))
  if (stranded.length === 0) return planned
  const others = await listOtherRoutes(
    deps,
    db,
    stranded.map(({ claimed }) => ({ order: claimed.order, route: claimed.route, triedSuppliers: [] })),
  )
  return planned.map((plan) => {
    const otherRoutes = others.get(plan.claimed.order.id)
    return otherRoutes ? decide(deps, plan, offered(plan), otherRoutes) : plan
  })
}

function releaseOf({ claimed, step, isOurMistake }: Planned): OrderRelease | undefined {
  const given = { orderId: claimed.order.id, leaseNo: claimed.leaseNo, isAttemptOver: claimed.attempt === null }
  if (step.do === 'hold') return { ...given, afterSeconds: step.afterSeconds, holdReason: step.holdReason, isOurMistake }
  if (step.do === 'reroute') return { ...given, afterSeconds: 0, holdReason: null, route: step.route }
  return undefined
}

type Call = Work['call']

function callOf(step: ClaimedStep): Call | undefined {
  if (step.do === 'send') return 'send'
  return step.do === 'ask' ? step.by : undefined
}

/** The expected cost of each order that is about to be sent, at its supplier's present prices. */
async function expectCosts(
  { products }: PlanDeps,
  db: Db,
  supplier: Supplier,
  group: readonly Planned[],
): Promise<ExpectedCosts> {
  const expected = new Map<string, Pesewas | null>()
  for (const [fulfilment, ofProduct] of Map.groupBy(group, (plan) => plan.fulfilment)) {
    const orders = ofProduct.map(({ claimed: { order } }) => ({
      orderId: order.id,
      pricePesewas: pesewasOf(productOf(products, order.kind), order),
      details: order.details,
    }))
    const costs = await fulfilment?.costs.expect(db, supplier.name, orders)
    for (const [orderId, { costPesewas }] of costs ?? []) expected.set(orderId, costPesewas)
  }
  return expected
}

async function beginCall(
  deps: PlanDeps,
  db: Db,
  call: Call,
  supplier: Supplier,
  group: readonly Planned[],
): Promise<ReadonlyMap<string, Attempt>> {
  if (call === 'send') {
    const claims = group.map(({ claimed }) => claimed)
    return beginAttempts(db, supplier.name, claims, await expectCosts(deps, db, supplier, group))
  }
  const asked = group.flatMap(({ claimed }) => (claimed.attempt ? { claimed, attempt: claimed.attempt } : []))
  const attempts = asked.map(({ attempt }) => attempt)
  // A callback that came is used as the answer, so no question is counted.
  const begun = call === 'callback' ? attempts : call === 'status' ? beginLookUps(attempts) : await beginResends(db, asked)
  return new Map(begun.map((attempt) => [attempt.orderId, attempt]))
}

async function giveBackClaims(db: Db, claims: readonly ClaimedOrder[]): Promise<void> {
  await giveBackLeases(
    db,
    claims.map(({ order, leaseNo }) => ({ orderId: order.id, leaseNo })),
  )
}

async function beginCalls(
  deps: PlanDeps,
  db: Db,
  call: Call,
  supplier: Supplier,
  group: readonly Planned[],
  mayStillSend: () => boolean,
): Promise<Work[]> {
  const attempts = await beginCall(deps, db, call, supplier, group)
  const left = group.flatMap(({ claimed }) => (attempts.has(claimed.order.id) ? [] : claimed))
  // Gives back leases that were too old for a send. Where a lease was lost, this changes nothing.
  if (left.length > 0) await giveBackClaims(db, left)
  return group.flatMap(({ claimed, fulfilment }) => {
    const attempt = attempts.get(claimed.order.id)
    return attempt && fulfilment ? [{ claimed, attempt, supplier, fulfilment, call, mayStillSend }] : []
  })
}

/**
 * Begins the calls, grouped by supplier and kind of call. If some cannot begin, only their leases are given back: those that
 * began are committed, and must be performed.
 * @throws the first error, if nothing has begun
 */
async function beginWork(deps: PlanDeps, db: Db, planned: readonly Planned[]): Promise<Work[]> {
  // This process starts the send deadline before the database does, so the deadline ends here first, too.
  const mayStillSend = startSendDeadline(sendWindowSeconds)
  const work: Work[] = []
  const failures: unknown[] = []
  for (const [supplier, ofSupplier] of Map.groupBy(planned, (plan) => plan.supplier)) {
    if (!supplier) continue
    for (const [call, group] of Map.groupBy(ofSupplier, ({ step }) => callOf(step))) {
      if (!call) continue
      try {
        work.push(...(await beginCalls(deps, db, call, supplier, group, mayStillSend)))
      } catch (error) {
        failures.push(error)
        deps.log.warn({ err: error, supplier: supplier.name, call, count: group.length }, 'calls could not begin')
        await giveBackClaims(
          db,
          group.map(({ claimed }) => claimed),
        )
      }
    }
  }
  if (work.length === 0 && failures.length > 0) throw failures[0]
  return work
}

/** Removes ended orders from the schedule. Only a bug can have left them there, so an alarm is raised. */
async function closeEnded(db: Db, planned: readonly Planned[]): Promise<void> {
  const ended = planned.filter(({ step }) => step.do === 'close').map(({ claimed }) => claimed.order)
  if (ended.length === 0) return
  await inTransaction(db, async (tx) => {
    await sql`delete from open_orders where order_id = any(${ended.map(({ id }) => id)}::uuid[])`.execute(tx)
    await raiseAlarms(
      tx,
      ended.map(({ reference, status }) => ({
        name: 'ended_order_was_open',
        subject: reference,
        message: `Order ${reference} is ${status} but was still in the schedule. It was taken out; nothing was sent.`,
      })),
    )
  })
}

async function planClaims(deps: PlanDeps, db: Db, claims: readonly ClaimedOrder[]): Promise<Plan> {
  const planned = await decideAll(deps, db, claims)
  // The calls begin last, so that nothing else can fail between their beginning and the calls themselves.
  await releaseOrders(
    db,
    planned.flatMap((plan) => releaseOf(plan) ?? []),
  )
  await closeEnded(db, planned)
  await askFirst(
    db,
    planned.flatMap(({ claimed, step }) => (step.do === 'ask_first' ? [{ claimed, supplier: step.supplier }] : [])),
  )
  const work = await beginWork(deps, db, planned)
  const holds = planned.flatMap(({ claimed, step }) => (step.do === 'hold' ? { claimed, step } : []))
  return { claimedCount: claims.length, work, holds }
}

/**
 * Claims orders of a route and prepares the next step of each. A new attempt, a re-send, a wait, a question to another supplier
 * and a change of route are committed here; a look-up changes nothing at the supplier and needs no record. `which` can limit
 * the claim to some of the due orders. A supplier may be called only for what this function returned. No transaction is open
 * between the steps: the lease keeps others away, and an order is written only while this process still holds its lease.
 */
export async function planWork(deps: PlanDeps, db: Db, route: string, limit: number, which: ClaimFilter = 'all'): Promise<Plan> {
  const claims = await claimOpenOrders(db, route, limit, { which, ...(deps.findCached && { findCached: deps.findCached }) })
  if (claims.length === 0) return { claimedCount: 0, work: [], holds: [] }
  try {
    return await planClaims(deps, db, claims)
  } catch (error) {
    await giveBackClaims(db, claims)
    throw error
  }
}
