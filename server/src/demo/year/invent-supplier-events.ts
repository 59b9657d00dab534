import type { Chance } from './chance.ts'
import { answer, complete, contradict, type DemoOrder, decide, move, type Reported, refund, send } from './invent-order.ts'
import { spend } from './pay-in.ts'

/** The suppliers of an order, and their answers. */
export type Supply = {
  readonly supplier: string
  /** The supplier of the next attempt; the same one where there is no other. */
  readonly nextSupplier: string
  /** By supplier, in pesewas. */
  readonly expectedCosts: ReadonlyMap<string, number>
  /** The supplier's report of cost and commission after a delivery. */
  readonly reported: (supplier: string) => Reported
  /** How long the supplier usually takes. */
  readonly medianMilliseconds: number
}

type Scene = { readonly order: DemoOrder; readonly supply: Supply; readonly chance: Chance }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function waitDays({ order, chance }: Scene, least: number, most: number): void {
  order.at += Math.round(day * (least + (most - least) * chance.next()))
}

function sendAndAnswer({ order, supply }: Scene, outcome: string, milliseconds: number, reported?: Reported): void {
  send(order, supply.supplier, supply.expectedCosts.get(supply.supplier))
  order.at += milliseconds
  answer(order, 'send', outcome, reported)
}

function deliver(scene: Scene): void {
  const { order, supply, chance } = scene
  const reported = supply.reported(supply.supplier)
  sendAndAnswer(scene, 'accepted', chance.between(200, 2_500), chance.happens(0.5) ? { cost: reported.cost } : {})
  order.at += 3_000 + chance.delay(supply.medianMilliseconds)
  answer(order, chance.happens(0.7) ? 'callback' : 'status', 'delivered', reported)
  complete(order, 'delivered', 'worker', reported)
}

/** The supplier takes the order and reports later that it failed. */
function fail(scene: Scene): void {
  const { order, supply, chance } = scene
  sendAndAnswer(scene, 'accepted', 1_500)
  order.at += 3_000 + chance.delay(supply.medianMilliseconds * 2)
  answer(order, 'status', 'failed')
  move(order, 'failed', 'failed')
}

/** The outcome of the order stays unknown until two people settle it days later. */
function settle(scene: Scene, outcome: 'completed' | 'failed'): void {
  const { order } = scene
  sendAndAnswer(scene, 'unknown', 15_000)
  order.at += 5 * minute
  answer(order, 'status', 'unknown')
  waitDays(scene, 1, 4)
  answer(order, 'person', outcome === 'completed' ? 'delivered' : 'failed')
  const people = decide(order, 'order settle', { outcome }, `the supplier's list says ${outcome}`)?.actor
  if (outcome === 'completed') return complete(order, 'settled by two people', people)
  move(order, 'failed', 'settled by two people', people)
  refund(order, people)
}

/** Days after the end of the order, two people decide to pay a part of the price back, or to take a part of a refund back. */
function adjust(scene: Scene, direction: 'back' | 'away'): void {
  const { order, chance } = scene
  const { history, sale, reference } = order
  waitDays(scene, 1, 5)
  const { at } = order
  const amount = Math.max(1, Math.floor(sale.price / chance.between(2, 4)))
  const isBack = direction === 'back'
  const evidence = isBack ? 'the bundle came two days late' : 'the supplier delivered after all'
  const agreed = decide(order, 'order adjust', { amount: isBack ? amount : -amount }, evidence)
  if (!agreed) return
  const purses = isBack
    ? ({ fromPurse: 'adjustments', toPurse: 'main' } as const)
    : ({ fromPurse: 'main', toPurse: 'adjustments' } as const)
  const transfer = { causeId: agreed.id, kind: 'adjustment', ...purses, amount, note: reference } as const
  history.later(at, () => spend(history, sale.account, at, transfer))
}

/** By ending: what happens to an order that suppliers fulfil. */
const eventsByEnding = {
  waiting: () => undefined,
  delivered: deliver,
  /** The first attempt certainly delivers nothing; a second one delivers. */
  second_attempt(scene) {
    const { order, supply, chance } = scene
    sendAndAnswer(scene, supply.nextSupplier === supply.supplier ? 'unreachable' : 'rejected_platform', 800)
    order.at += chance.between(2, 40) * 1_000
    deliver({ ...scene, supply: { ...supply, supplier: supply.nextSupplier } })
  },
  failed(scene) {
    fail(scene)
    refund(scene.order)
  },
  late_refund(scene) {
    fail(scene)
    waitDays(scene, 1, 6)
    refund(scene.order, 'esi')
  },
  refused(scene) {
    sendAndAnswer(scene, 'rejected_recipient', 900)
    move(scene.order, 'failed', 'rejected_recipient')
    refund(scene.order)
  },
  never_received(scene) {
    sendAndAnswer(scene, 'unknown', 15_000)
    scene.order.at += 4 * minute
    answer(scene.order, 'status', 'never_received')
    move(scene.order, 'failed', 'never_received')
    refund(scene.order)
  },
  settled_completed: (scene) => settle(scene, 'completed'),
  settled_failed: (scene) => settle(scene, 'failed'),
  contradicted(scene) {
    deliver(scene)
    waitDays(scene, 0.5, 2.5)
    contradict(scene.order)
  },
  refund_contradicted(scene) {
    eventsByEnding.failed(scene)
    waitDays(scene, 0.5, 2.5)
    contradict(scene.order)
  },
  adjusted(scene) {
    deliver(scene)
    adjust(scene, 'back')
  },
  clawed_back(scene) {
    eventsByEnding.failed(scene)
    adjust(scene, 'away')
  },
  queued_delivered(scene) {
    scene.order.at += scene.chance.delay(5 * hour)
    move(scene.order, 'pending', 'registered')
    deliver(scene)
  },
  queued_failed({ order }) {
    order.at += 2 * day
    move(order, 'failed', 'not_registered')
    refund(order)
  },
} satisfies Readonly<Record<string, (scene: Scene) => void>>

export type SuppliedEnding = keyof typeof eventsByEnding

export function inventSupplierEvents(order: DemoOrder, supply: Supply, ending: SuppliedEnding): void {
  const { chance } = order.history
  if (!ending.startsWith('queued')) order.at += chance.between(200, 4_000)
  eventsByEnding[ending]({ order, supply, chance })
}
