import { sql } from 'kysely'
import type { Pesewas } from '../../money/pesewas.ts'
import { raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { startSendDeadline } from '../../suppliers/calling/start-send-deadline.ts'
import type { Supplier, SupplierRegistry } from '../../suppliers/ports.ts'
import { parseRouteName } from '../../suppliers/route-name.ts'
import type { Routes } from '../../suppliers/route-ports.ts'
import { isSendable } from '../../suppliers/routes/choose-route.ts'
import { isRefusalOfUs } from '../../suppliers/routes/route-health.ts'
import type { Attempt } from '../attempt.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { HoldReason } from '../next-step.ts'
import { pesewasOf } from '../order.ts'
import { isEnded } from '../order-life-cycle.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import { type ClaimedOrder, type ClaimWhich, claimOpenOrders } from '../schedule/claim-open-orders.ts'
import { type OrderRelease, releaseOrders } from '../schedule/release-orders.ts'
import { type Lease, takeLeases } from '../schedule/take-leases.ts'
import { beginAttempts, beginQuestions, type ExpectedCosts, sendWindowSeconds } from './begin-attempts.ts'
import { type ClaimedStep, decideClaimedStep } from './decide-claimed-step.ts'
import { findUnofferedOrders } from './find-unoffered-orders.ts'
import { listOtherRoutes } from './list-other-routes.ts'
import type { Work } from './work.ts'

export type PlanDeps = {
  readonly routes: Routes
  readonly registry: SupplierRegistry
  readonly fulfilments: ReadonlyMap<string, Fulfilment>
  readonly products: readonly ProductFacts[]
}

/** An order that could not go on, and why. */
export type PlannedHold = { readonly claimed: ClaimedOrder; readonly step: ClaimedStep & { do: 'hold' } }

/** The result of a claim: the calls to make now, and the orders that must wait. */
export type Plan = { readonly claimedCount: number; readonly work: readonly Work[]; readonly holds: readonly PlannedHold[] }

/**
 * An order with its supplier and product. They are looked up once per claim, because the lists may change while we wait
 * for the database.
 */
type Candidate = {
  readonly claimed: ClaimedOrder
  readonly supplier: Supplier | undefined
  readonly fulfilment: Fulfilment | undefined
}

/** Who offers what was ordered: the supplier of the order's route, only others, or nobody. */
type Offered = 'here' | 'elsewhere' | 'nowhere'

type Planned = Candidate & {
  readonly step: ClaimedStep
  /** Whether the order is held because of a mistake of ours. */
  readonly isOurMistake: boolean
}

function routeState(routes: Routes, name: string): 'open' | 'paused' | 'missing' {
  const route = routes.find(name)
  if (!route) return 'missing'
  return isSendable(route) ? 'open' : 'paused'
}

function candidateOf(deps: PlanDeps, claimed: ClaimedOrder): Candidate {
  // An attempt is asked about at the supplier it was made with, whatever route the order stands on.
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
    isOffered: offered === 'here',
    otherRoutes,
    claimedAt: claimed.claimedAt,
  })
  return { ...candidate, step, isOurMistake: step.do === 'hold' && isOurs(deps, claimed, step.holdReason, offered) }
}

/**
 * Whether the order waits because of our own mistake: the supplier refused our account, or no supplier offers what was
 * sold. Time alone does not mend either.
 */
function isOurs({ routes }: PlanDeps, { route, attempt }: ClaimedOrder, holdReason: HoldReason, offered: Offered): boolean {
  if (attempt) return false
  if (holdReason === 'not_offered') return offered === 'nowhere'
  const health = routes.find(route)?.health
  return holdReason === 'route_paused' && health?.state === 'paused' && isRefusalOfUs(health.reason)
}

function waitsToBeSent({ attempt, order }: ClaimedOrder): boolean {
  return attempt === null && order.status !== 'queued' && !isEnded(order.status)
}

async function decideAll(deps: PlanDeps, tx: Tx, claims: readonly ClaimedOrder[]): Promise<Planned[]> {
  const candidates = claims.map((claimed) => candidateOf(deps, claimed))
  const waiting = candidates.filter(({ claimed }) => waitsToBeSent(claimed))
  const unoffered = await findUnofferedOrders(
    tx,
    waiting.map(({ claimed: { order, route }, fulfilment }) => ({ order, route, fulfilment })),
  )
  const offered = ({ claimed }: Candidate): Offered => unoffered.get(claimed.order.id) ?? 'here'
  const planned = candidates.map((candidate) => decide(deps, candidate, offered(candidate), []))
  // Other routes are looked up only for orders that wait to be sent and cannot go out where they are.
  const stranded = planned.filter(({ claimed, step }) => step.do === 'hold' && waitsToBeSent(claimed))
  if (stranded.length === 0) return planned
  const others = await listOtherRoutes(
    deps,
    tx,
    stranded.map(({ claimed }) => ({ order: claimed.order, route: claimed.route, triedSuppliers: [] })),
  )
  return planned.map((plan) => {
    const otherRoutes = others.get(plan.claimed.order.id)
    return otherRoutes ? decide(deps, plan, offered(plan), otherRoutes) : plan
  })
}

function releaseOf({ claimed, step, isOurMistake }: Planned): OrderRelease | undefined {
  const orderId = claimed.order.id
  const isAttemptOver = claimed.attempt === null
  if (step.do === 'hold') {
    return { orderId, afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver, isOurMistake }
  }
  if (step.do === 'reroute') return { orderId, afterSeconds: 0, holdReason: null, isAttemptOver, route: step.route }
  return undefined
}

type Call = Work['call']

function callOf(step: ClaimedStep): Call | undefined {
  if (step.do === 'send') return 'send'
  return step.do === 'ask' ? step.by : undefined
}

/** What the orders that are about to be sent should cost there, as prices stand now. */
async function expectCosts(
  { products }: PlanDeps,
  tx: Tx,
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
    const costs = await fulfilment?.costs.expect(tx, supplier.name, orders)
    for (const [orderId, { costPesewas }] of costs ?? []) expected.set(orderId, costPesewas)
  }
  return expected
}

async function beginCall(
  deps: PlanDeps,
  tx: Tx,
  call: Call,
  supplier: Supplier,
  group: readonly Planned[],
): Promise<readonly Attempt[]> {
  const claims = group.map(({ claimed }) => claimed)
  if (call === 'send') return beginAttempts(tx, supplier.name, claims, await expectCosts(deps, tx, supplier, group))
  const attempts = claims.flatMap(({ attempt }) => attempt ?? [])
  // A callback that came is used as the answer, so no question is counted.
  return call === 'callback' ? attempts : beginQuestions(tx, attempts, call)
}

async function beginCalls(
  deps: PlanDeps,
  tx: Tx,
  call: Call,
  supplier: Supplier,
  group: readonly Planned[],
  mayStillSend: () => boolean,
): Promise<Work[]> {
  const attempts = await beginCall(deps, tx, call, supplier, group)
  return group.flatMap(({ claimed, fulfilment }, index) => {
    const attempt = attempts[index]
    if (!attempt || !fulfilment || attempt.orderId !== claimed.order.id)
      throw new Error('an attempt does not belong to its order')
    return { claimed, attempt, supplier, fulfilment, call, mayStillSend }
  })
}

async function beginWork(deps: PlanDeps, tx: Tx, planned: readonly Planned[]): Promise<Work[]> {
  // This process starts the send deadline before the database does, so it also ends here first.
  const mayStillSend = startSendDeadline(sendWindowSeconds)
  const work: Work[] = []
  for (const [supplier, ofSupplier] of Map.groupBy(planned, (plan) => plan.supplier)) {
    if (!supplier) continue
    for (const [call, group] of Map.groupBy(ofSupplier, ({ step }) => callOf(step))) {
      if (call) work.push(...(await beginCalls(deps, tx, call, supplier, group, mayStillSend)))
    }
  }
  return work
}

function leasesOf(claims: readonly ClaimedOrder[], work: readonly Work[]): Lease[] {
  const attempts = new Map(work.map(({ claimed, attempt }) => [claimed, attempt]))
  return claims.map((claimed) => ({ claimed, attemptId: (attempts.get(claimed) ?? claimed.attempt)?.id ?? null }))
}

/** Removes ended orders from the schedule. Only a bug can have left them there, so an alarm is raised. */
async function closeEnded(tx: Tx, planned: readonly Planned[]): Promise<void> {
  const ended = planned.filter(({ step }) => step.do === 'close').map(({ claimed }) => claimed.order)
  if (ended.length === 0) return
  await sql`delete from open_orders where order_id = any(${ended.map(({ id }) => id)}::uuid[])`.execute(tx)
  await raiseAlarms(
    tx,
    ended.map(({ reference, status }) => ({
      name: 'ended_order_was_open',
      subject: reference,
      message: `Order ${reference} is ${status} but was still in the schedule. It was taken out; nothing was sent.`,
    })),
  )
}

/**
 * Claims orders of a route and commits the next step of each: a new attempt, a question, a wait, or another route.
 * `which` can limit the claim to orders that wait to be sent. A supplier may be called only for what this function
 * returned.
 */
export async function planWork(deps: PlanDeps, db: Db, route: string, limit: number, which: ClaimWhich = 'all'): Promise<Plan> {
  return inTransaction(db, async (tx) => {
    const claims = await claimOpenOrders(tx, route, limit, which)
    if (claims.length === 0) return { claimedCount: 0, work: [], holds: [] }
    const planned = await decideAll(deps, tx, claims)
    const work = await beginWork(deps, tx, planned)
    await takeLeases(tx, leasesOf(claims, work))
    await releaseOrders(
      tx,
      planned.flatMap((plan) => releaseOf(plan) ?? []),
    )
    await closeEnded(tx, planned)
    const holds = planned.flatMap(({ claimed, step }) => (step.do === 'hold' ? { claimed, step } : []))
    return { claimedCount: claims.length, work, holds }
  })
}
