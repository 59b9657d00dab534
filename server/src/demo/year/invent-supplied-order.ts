import type { DemoWorld } from './demo-world.ts'
import { completeOrder, type InventedAttempt, inventAttempt, type Reported, reportsNothing } from './invent-attempt.ts'
import { type DemoSale, type InventedOrder, inventOrder } from './invent-order.ts'

/** The endings of an order that suppliers fulfil. */
export type SuppliedEnding =
  | 'delivered'
  | 'failed'
  | 'refused'
  | 'never_received'
  | 'second_attempt'
  | 'settled_completed'
  | 'settled_failed'
  | 'late_refund'
  | 'contradicted'
  | 'refund_contradicted'
  | 'adjusted'
  | 'clawed_back'
  | 'queued_delivered'
  | 'queued_failed'
  | 'waiting'

/** The suppliers of an order, and their answers. */
export type Supply = {
  readonly supplier: string
  /** The supplier of the next attempt; the same one where there is no other. */
  readonly nextSupplier: string
  readonly route: string
  /** By supplier, in pesewas. */
  readonly expectedCosts: ReadonlyMap<string, number>
  /** The supplier's report of cost and commission after a delivery. */
  readonly reported: (supplier: string) => Reported
  /** How long the supplier usually takes. */
  readonly medianMilliseconds: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Scene = { readonly world: DemoWorld; readonly order: InventedOrder; readonly supply: Supply }

function begin({ world, order, supply }: Scene, at: number, no = 1, supplier = supply.supplier): InventedAttempt | undefined {
  const supplierNo = supplier === supply.supplier ? no : 1
  const expectedCost = supply.expectedCosts.get(supplier) ?? null
  return inventAttempt(world, order, { at, no, supplier, supplierNo, expectedCost })
}

/** The supplier takes the order and delivers. @returns the moment of the delivery */
function deliver(scene: Scene, attempt: InventedAttempt | undefined, sentAt: number): number {
  const { world, order, supply } = scene
  const { chance } = world
  const reported = supply.reported(attempt?.supplier ?? '')
  const isTold = chance.happens(0.5)
  attempt?.noteAnswer(
    sentAt + chance.between(200, 2_500),
    'send',
    'accepted',
    isTold ? { ...reported, commission: null } : reportsNothing,
  )
  const at = sentAt + 3_000 + Math.round(chance.delay(supply.medianMilliseconds))
  attempt?.noteAnswer(at, chance.happens(0.7) ? 'callback' : 'status', 'delivered', reported)
  completeOrder(world, order, { at, reason: 'delivered', reportedCommission: reported.commission })
  return at
}

/** The supplier reports that the order failed. @returns the moment of the report */
function fail({ world, order, supply }: Scene, attempt: InventedAttempt | undefined, sentAt: number): number {
  const at = sentAt + 3_000 + Math.round(world.chance.delay(supply.medianMilliseconds * 2))
  attempt?.noteAnswer(sentAt + 1_500, 'send', 'accepted')
  attempt?.noteAnswer(at, 'status', 'failed')
  order.move(at, 'failed', 'failed')
  return at
}

/** The outcome of the order stays unknown until two people settle it days later. */
function settle(scene: Scene, attempt: InventedAttempt | undefined, sentAt: number, outcome: 'completed' | 'failed'): void {
  const { world, order } = scene
  const { chance, rows } = world
  attempt?.noteAnswer(sentAt + 15_000, 'send', 'unknown')
  attempt?.noteAnswer(sentAt + 5 * minute, 'status', 'unknown')
  const at = sentAt + Math.round(day * (1 + 3 * chance.next()))
  const actor = 'ama and kofi'
  attempt?.noteAnswer(at, 'person', outcome === 'completed' ? 'delivered' : 'failed')
  order.step(at, () => {
    const confirmed = { proposedBy: 'ama', proposedAt: at - 2 * hour, confirmedBy: 'kofi', confirmedAt: at }
    const evidence = `the supplier's list says ${outcome}`
    const { id: orderId, reference } = order.sale
    const about = { id: chance.idAt(at - 2 * hour), orderId, reference, kind: 'order settle', figures: { outcome } } as const
    rows.proposals.push({ ...about, evidence, ...confirmed })
    const act = {
      actor: 'kofi',
      action: 'order settle confirm',
      subject: order.sale.reference,
      details: { as: outcome, evidence },
    }
    rows.log.push({ ...act, at })
  })
  const reason = 'settled by two people'
  if (outcome === 'completed') completeOrder(world, order, { at, reason, actor, reportedCommission: null })
  else if (order.move(at, 'failed', reason, actor)) order.refund(at + 1, actor)
}

/** Evidence against the order's outcome comes half a day or more after its end. */
function contradict({ world, order }: Scene, attempt: InventedAttempt | undefined, endedAt: number): void {
  const at = endedAt + Math.round(day * (0.5 + 2 * world.chance.next()))
  if (!attempt) return
  const { id: attemptId, supplier } = attempt
  const { status, sale } = order
  const said = status === 'completed' ? 'failed' : 'delivered'
  order.step(at, () => {
    const evidence = `a callback of ${supplier} says ${said}: {"status":"${said}"}`
    world.rows.contradictions.push({ id: world.chance.idAt(at), orderId: sale.id, attemptId, status, evidence, at })
  })
}

/** Days after the end of the order, two people give the reseller money back, or take a part back. */
function adjust({ world, order }: Scene, endedAt: number, sign: 1 | -1): void {
  const { chance, rows } = world
  const { id: orderId, account, price, reference } = order.sale
  const at = endedAt + Math.round(day * (1 + 4 * chance.next()))
  const amount = Math.max(1, Math.floor(price / chance.between(2, 4)))
  const evidence = sign > 0 ? 'the bundle came two days late' : 'the supplier delivered after all'
  order.step(at, () =>
    world.agenda.add(at, () => {
      if (sign < 0 && world.balanceOf(account.id, 'main') < amount) return
      const id = chance.idAt(at - hour)
      const confirmed = { proposedBy: 'esi', proposedAt: at - hour, confirmedBy: 'ama', confirmedAt: at }
      const about = { id, orderId, reference, kind: 'order adjust', figures: { amount: sign * amount } } as const
      rows.proposals.push({ ...about, evidence, ...confirmed })
      const details = { as: 'adjusted', amount: sign * amount, evidence }
      rows.log.push({ actor: 'ama', action: 'order adjust confirm', subject: reference, details, at })
      const purses =
        sign > 0
          ? ({ fromPurse: 'adjustments', toPurse: 'main' } as const)
          : ({ fromPurse: 'main', toPurse: 'adjustments' } as const)
      world.post(at, { causeId: id, kind: 'adjustment', accountId: account.id, ...purses, amount, note: reference })
    }),
  )
}

/** The first attempt certainly delivers nothing, and the next one delivers. */
function deliverAtSecond(scene: Scene, sentAt: number): InventedAttempt | undefined {
  const { supply, world } = scene
  const first = begin(scene, sentAt)
  const isOther = supply.nextSupplier !== supply.supplier
  first?.noteAnswer(sentAt + 800, 'send', isOther ? 'rejected_platform' : 'unreachable')
  const againAt = sentAt + world.chance.between(2, 40) * 1_000
  const second = begin(scene, againAt, 2, supply.nextSupplier)
  if (second) deliver(scene, second, againAt)
  return second ?? first
}

/** Invents the ending of an order whose attempt begins at `sentAt`. */
function inventEnding(scene: Scene, ending: SuppliedEnding, sentAt: number): InventedAttempt | undefined {
  const { order, world } = scene
  if (ending === 'second_attempt') return deliverAtSecond(scene, sentAt)
  const attempt = begin(scene, sentAt)
  switch (ending) {
    case 'failed':
      order.refund(fail(scene, attempt, sentAt) + 1)
      break
    case 'late_refund': {
      const failedAt = fail(scene, attempt, sentAt)
      order.refund(failedAt + Math.round(day * (1 + 5 * world.chance.next())), 'esi')
      break
    }
    case 'refused':
      attempt?.noteAnswer(sentAt + 900, 'send', 'rejected_recipient')
      if (order.move(sentAt + 900, 'failed', 'rejected_recipient')) order.refund(sentAt + 901)
      break
    case 'never_received':
      attempt?.noteAnswer(sentAt + 15_000, 'send', 'unknown')
      attempt?.noteAnswer(sentAt + 4 * minute, 'status', 'never_received')
      if (order.move(sentAt + 4 * minute, 'failed', 'never_received')) order.refund(sentAt + 4 * minute + 1)
      break
    case 'settled_completed':
    case 'settled_failed':
      settle(scene, attempt, sentAt, ending === 'settled_completed' ? 'completed' : 'failed')
      break
    case 'contradicted':
      contradict(scene, attempt, deliver(scene, attempt, sentAt))
      break
    case 'refund_contradicted': {
      const failedAt = fail(scene, attempt, sentAt)
      if (order.refund(failedAt + 1)) contradict(scene, attempt, failedAt)
      break
    }
    case 'adjusted':
      adjust(scene, deliver(scene, attempt, sentAt), 1)
      break
    case 'clawed_back': {
      const failedAt = fail(scene, attempt, sentAt)
      if (order.refund(failedAt + 1)) adjust(scene, failedAt, -1)
      break
    }
    case 'delivered':
    case 'queued_delivered':
    case 'queued_failed':
    case 'waiting':
      deliver(scene, attempt, sentAt)
  }
  return attempt
}

/** Invents an order that suppliers fulfil, from its placing to its end, or to the history's end. Its price must be paid. */
export function inventSuppliedOrder(world: DemoWorld, sale: DemoSale, supply: Supply, ending: SuppliedEnding): void {
  const { chance, until } = world
  const isQueued = ending === 'queued_delivered' || ending === 'queued_failed'
  const order = inventOrder(world, sale, isQueued ? 'queued' : 'pending')
  const scene = { world, order, supply }
  let attempt: InventedAttempt | undefined
  if (ending === 'queued_failed') {
    const at = sale.at + 2 * day
    if (order.move(at, 'failed', 'not_registered')) order.refund(at + 1)
  } else if (ending !== 'waiting') {
    const startAt = isQueued ? sale.at + Math.round(chance.delay(5 * hour)) : sale.at
    if (isQueued) order.move(startAt, 'pending', 'registered')
    attempt = inventEnding(scene, ending, startAt + chance.between(200, 4_000))
  }
  const isAsked = order.status === 'processing'
  const isStuck = isAsked && until - sale.at > 20 * minute
  order.end({
    route: supply.route,
    nextStepAt: isAsked ? until + chance.between(60, 360) * minute : until,
    attemptId: isAsked ? (attempt?.id ?? null) : null,
    holdReason: order.status === 'queued' ? 'not_registered' : isStuck ? 'no_definitive_answer' : null,
  })
}
