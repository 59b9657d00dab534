import { hash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { pesewas } from '../../money/pesewas.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { Order } from '../order.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'

/** One caller's request: a single order, or several that are placed together or not at all. */
export type OrderCall = {
  readonly accountId: string
  readonly items: readonly OrderItem[]
  readonly keyFingerprint?: KeyFingerprint | undefined
}

/** Turns an item's fingerprint into the keyed one that is stored once the order's recipient was forgotten. */
export type KeyFingerprint = (fingerprint: string) => string

/** The kinds of order that a batch may hold, by name. */
export type OrderKinds = ReadonlyMap<string, OrderKind>

/** A new order; for a replay, the order that already has the reference. */
export type Placement = { readonly order: Order; readonly isReplay: boolean }

/** An item that its kind left out: nothing was placed or charged for it, and its reference stays free. */
export type SkippedItem = { readonly itemIndex: number; readonly refusal: Refusal }

/** When a call is refused, no order was placed and no money moved, unless the refusal is `outcome_unknown`. */
export type CallOutcome =
  | {
      readonly refusal: Refusal
      /** The item that is refused. Undefined: the refusal concerns the whole call. */
      readonly itemIndex?: number
    }
  | {
      /** In the order of the items, without the skipped ones. */
      readonly placements: readonly Placement[]
      readonly skipped: readonly SkippedItem[]
      /** The amount that this call took from the paying wallet, in the wallet's unit. */
      readonly charged: number
      /** The balance of the paying wallet after this call, in the wallet's unit. */
      readonly balance: number
    }

/** Calls wait here for their batch. A batch is decided from memory if it can be, else on facts read from the database. */
export type CallQueue = {
  submit(call: OrderCall): Promise<CallOutcome>
  /** Places the waiting calls, then closes the connections. */
  close(): Promise<void>
}

type LostOrder = Pick<OrderItem, 'orderId' | 'accountId' | 'kind'> & { readonly price: number }

/**
 * Remembers which orders callers were told of, and notices when the database has lost commits. Nothing is sold until two people
 * have accepted such a loss.
 */
export type IntakeHistory = {
  /** True: nothing is sold. */
  isSalesStopped(): boolean
  /** Called with each new connection, before an order is placed on it. */
  compareConnection(client: ClientBase): Promise<void>
  /** Called when a remembered wallet has fewer entries in the database than it had before. */
  stopSales(reason: string): void
  /** True: an order with this key was acknowledged, the database has lost it, and people have not decided about it. */
  isMissing(repeatKey: string): boolean
  /** The lost order that the next request with this key places again as it was: one of the same account and kind. */
  findToPlaceAgain(repeatKey: string): LostOrder | undefined
  /** Remembers an order whose caller is about to be told that it was placed. */
  add(order: Order, repeatKey: string | undefined): void
}

/** The only way to place orders, for every product. */
export type Intake = {
  readonly queue: CallQueue
  readonly keyFingerprint?: KeyFingerprint | undefined
  readonly history?: IntakeHistory | undefined
}

/**
 * Places one order for an account, or several together or not at all. Returns orders only after their COMMIT has been
 * answered. A refusal means that nothing was placed and no money moved, except the refusal `outcome_unknown`.
 */
export async function placeOrders(intake: Intake, accountId: string, given: readonly OrderItem[]): Promise<CallOutcome> {
  const { history, queue, keyFingerprint } = intake
  const refused = history && refuseByHistory(history, given)
  if (refused) return refused
  const items = history ? given.map((item) => asItWas(history, item)) : given
  const outcome = await queue.submit({ accountId, items, keyFingerprint })
  if (history && 'placements' in outcome) rememberPlaced(history, items, outcome.placements)
  return outcome
}

function refuseByHistory(history: IntakeHistory, items: readonly OrderItem[]): CallOutcome | undefined {
  if (history.isSalesStopped()) return { refusal: refusals.historyHeld }
  const isMissing = (item: OrderItem) => {
    const key = repeatKeyOf(item)
    return key !== undefined && history.isMissing(key)
  }
  if (items.some(isMissing)) return { refusal: refusals.outcomeUnknown }
  // As before the loss, the reference is that of another order. With the old id the suppliers' answers about that one would count.
  const conflictAt = items.findIndex((item) => {
    const lost = findLost(history, item)
    return lost !== undefined && (lost.accountId !== item.accountId || lost.kind !== item.kind)
  })
  return conflictAt < 0 ? undefined : { refusal: refusals.referenceTaken, itemIndex: conflictAt }
}

function findLost(history: IntakeHistory, item: OrderItem): LostOrder | undefined {
  const key = repeatKeyOf(item)
  return key === undefined ? undefined : history.findToPlaceAgain(key)
}

/** Places a lost order again as it was: with its old id, which suppliers know, and only at its old price. */
function asItWas(history: IntakeHistory, item: OrderItem): OrderItem {
  const lost = findLost(history, item)
  return lost ? { ...item, orderId: lost.orderId, shownPrice: pesewas(lost.price) } : item
}

function rememberPlaced(history: IntakeHistory, items: readonly OrderItem[], placements: readonly Placement[]): void {
  const itemOf = new Map(items.map((item) => [item.orderId, item]))
  for (const { order, isReplay } of placements) {
    const item = itemOf.get(order.id)
    if (item && !isReplay) history.add(order, repeatKeyOf(item))
  }
}

/**
 * 128 bits, in hexadecimal: enough to tell two requests with the same reference apart, and short, because each taken
 * reference is stored for ever with such a value.
 */
const fingerprintDigits = 32

/** The fingerprint of a request: the first half of the SHA-256 of its fields. */
export function hashRequest(fields: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(fields), 'hex').slice(0, fingerprintDigits)
}

/**
 * The key by which repeats of an item are found, as one text for all name spaces. Undefined when it has none. Account ids and
 * names of services hold no colon, so two references never make the same text.
 */
export function repeatKeyOf(item: Pick<OrderItem, 'accountId' | 'reference' | 'repeatKey'>): string | undefined {
  const { repeatKey } = item
  if (!repeatKey) return sharedKeyOf(item.reference)
  return repeatKey.scope === 'none' ? undefined : accountKeyOf(item.accountId, repeatKey.service, repeatKey.reference)
}

/** The key of a reference in the name space that all accounts share. */
export function sharedKeyOf(reference: string): string {
  return `shared:${reference}`
}

/** The key of a reference that is an account's own. */
export function accountKeyOf(accountId: string, service: string, reference: string): string {
  return `account:${accountId}:${service}:${reference}`
}

/** A call that has waited for a batch this long is answered 503. */
const patienceMilliseconds = 3_000

/**
 * No caller waits longer than ten seconds (decision A8). The remaining second is for the work before and after the intake, and
 * for the network.
 */
const answerMilliseconds = 9_000

/** A call in a queue or in a batch. Its caller is answered exactly once, and in time. */
export type WaitingCall = {
  readonly call: OrderCall
  /**
   * A COMMIT with this call was sent, and its result is not known. Until it is, the only possible answers are its order, found
   * by its id, or `outcome_unknown`, however often it is tried again.
   */
  isInDoubt: boolean
  /** How often the call was put off because of a busy wallet. */
  putOffCount: number
  readonly isAnswered: () => boolean
  /** True while a batch may still take the call. A call in doubt is looked up until its caller must be answered. */
  readonly isInTime: () => boolean
  readonly answer: (outcome: CallOutcome) => void
  readonly fail: (error: Error) => void
}

/** Receives the answer. `onUnknown` is called for each call whose outcome stayed unknown. */
export type CallEnd = {
  readonly resolve: (outcome: CallOutcome) => void
  readonly reject: (error: Error) => void
  readonly onUnknown: (call: OrderCall) => void
  /** Called once, whatever the answer. */
  readonly onAnswered: () => void
}

export const tooBusy: CallOutcome = { refusal: refusals.overloaded }
const outcomeUnknown: CallOutcome = { refusal: refusals.outcomeUnknown }

export function createWaitingCall(call: OrderCall, end: CallEnd): WaitingCall {
  const arrivedAt = performance.now()
  let isAnswered = false

  function finish(settle: () => void): void {
    if (isAnswered) return
    isAnswered = true
    clearTimeout(lastMoment)
    settle()
    end.onAnswered()
  }

  function giveUp(): void {
    end.onUnknown(call)
    end.resolve(outcomeUnknown)
  }

  const waitingCall: WaitingCall = {
    call,
    isInDoubt: false,
    putOffCount: 0,
    isAnswered: () => isAnswered,
    isInTime: () => waitingCall.isInDoubt || performance.now() - arrivedAt <= patienceMilliseconds,
    answer: (outcome) => finish(() => (waitingCall.isInDoubt && 'refusal' in outcome ? giveUp() : end.resolve(outcome))),
    fail: (error) => finish(() => (waitingCall.isInDoubt ? giveUp() : end.reject(error))),
  }
  const lastMoment = setTimeout(() => waitingCall.answer(tooBusy), answerMilliseconds)
  return waitingCall
}
