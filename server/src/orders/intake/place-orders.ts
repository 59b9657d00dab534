import type { ClientBase } from 'pg'
import type { Logger } from 'pino'
import { pesewas } from '../../money/pesewas.ts'
import { connectDatabase, type DatabaseOptions } from '../../platform/database/database.ts'
import { refusals } from '../../platform/http/refusals.ts'
import type { Order } from '../order.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import type { KeyFingerprint, OrderKinds } from './books.ts'
import type { CallOutcome, Placement } from './decide-calls.ts'
import { type Lane, laneConnections, openLane } from './lane.ts'
import type { BatchMeasure } from './measure-intake.ts'
import { repeatKeyOf } from './repeat-key.ts'

export type { CallOutcome, Placement, SkippedItem } from './decide-calls.ts'

/** Refuses sales while the database is at an earlier state than it has confirmed. */
export type IntakeHistory = {
  /** True: nothing is sold. */
  isHeld(): boolean
  /** Called with each new connection, before an order is placed on it. */
  meet(client: ClientBase): Promise<void>
  /** Called when a remembered wallet has fewer entries in the database than it had before. */
  hold(reason: string): void
  /** True: an order with this key was acknowledged, and the database has lost it. */
  isMissing(repeatKey: string): boolean
  /** The lost order that the next request with this key places again as it was. */
  findToPlaceAgain(repeatKey: string): { readonly orderId: string; readonly price: number } | undefined
  /** Remembers an order whose caller is about to be told that it was placed. */
  add(order: Order, repeatKey: string | undefined): void
}

/** The only way to place orders, for every product. */
export type Intake = {
  readonly lane: Lane
  readonly keyFingerprint?: KeyFingerprint | undefined
  readonly history?: IntakeHistory | undefined
}

export type IntakeOptions = {
  database: Pick<DatabaseOptions, 'url' | 'role'>
  kinds: readonly OrderKind[]
  log: Logger
  onBatch?: BatchMeasure
  /** Left out: no order was forgotten. */
  keyFingerprint?: KeyFingerprint
  /** Left out: nobody looks whether history went back. */
  history?: IntakeHistory | undefined
}

/**
 * A reference or a stock that stays locked for a second means that something hangs. No statement of a batch takes seconds,
 * and a paused process must not keep wallets locked. Nobody waits for a wallet.
 */
const laneSession = {
  lock_timeout: '1s',
  statement_timeout: '5s',
  idle_in_transaction_session_timeout: '5s',
}

/**
 * If the database does not answer within this time, the answer counts as lost. One such wait and a new connection leave
 * enough time to look for the orders before the callers must be answered.
 */
const queryTimeoutMilliseconds = 4_000

/** Close the intake with `closeIntake`, which first places the waiting calls. */
export function openIntake(options: IntakeOptions): Intake {
  const kinds: OrderKinds = new Map(options.kinds.map((kind) => [kind.name, kind]))
  const { log, onBatch, keyFingerprint, history } = options
  const db = connectDatabase({
    ...options.database,
    poolSize: laneConnections,
    isKeptOpen: true,
    applicationName: 'makola intake',
    session: laneSession,
    queryTimeoutMilliseconds,
    onConnectionError: (error) => log.warn({ err: error }, 'the intake lost a connection'),
    ...(history && { onConnect: (client: ClientBase) => history.meet(client), isHeld: () => history.isHeld() }),
  })
  const onLostEntries = history && ((reason: string) => history.hold(reason))
  return { lane: openLane({ db, kinds, log, onBatch, onLostEntries }), keyFingerprint, history }
}

/**
 * Places one order for an account, or several together or not at all. Returns orders only after their COMMIT has been
 * answered. A refusal means that nothing was placed and no money moved, except the refusal `outcome_unknown`.
 */
export async function placeOrders(intake: Intake, accountId: string, given: readonly OrderItem[]): Promise<CallOutcome> {
  const { history, lane, keyFingerprint } = intake
  const refused = history && refuseByHistory(history, given)
  if (refused) return refused
  const items = history ? given.map((item) => asItWas(history, item)) : given
  const outcome = await lane.submit({ accountId, items, keyFingerprint })
  if (history && 'placements' in outcome) rememberPlaced(history, items, outcome.placements)
  return outcome
}

function refuseByHistory(history: IntakeHistory, items: readonly OrderItem[]): CallOutcome | undefined {
  if (history.isHeld()) return { refusal: refusals.historyHeld, itemIndex: 0 }
  const isMissing = (item: OrderItem) => {
    const key = repeatKeyOf(item)
    return key !== undefined && history.isMissing(key)
  }
  const itemIndex = items.findIndex(isMissing)
  return itemIndex < 0 ? undefined : { refusal: refusals.outcomeUnknown, itemIndex }
}

/** Gives an order that history has lost its old id, under which suppliers know it, and holds it to its old price. */
function asItWas(history: IntakeHistory, item: OrderItem): OrderItem {
  const key = repeatKeyOf(item)
  const lost = key === undefined ? undefined : history.findToPlaceAgain(key)
  return lost ? { ...item, orderId: lost.orderId, shownPrice: pesewas(lost.price) } : item
}

function rememberPlaced(history: IntakeHistory, items: readonly OrderItem[], placements: readonly Placement[]): void {
  const itemOf = new Map(items.map((item) => [item.orderId, item]))
  for (const { order, isReplay } of placements) {
    const item = itemOf.get(order.id)
    if (item && !isReplay) history.add(order, repeatKeyOf(item))
  }
}

/** Places the waiting calls, then closes the connections. */
export async function closeIntake(intake: Intake): Promise<void> {
  await intake.lane.close()
}
