import { type Insertable, sql } from 'kysely'
import { commissionTermsOf, splitCommission } from '../../money/commission-terms.ts'
import { pesewas } from '../../money/pesewas.ts'
import type { Transfer } from '../../money/post-transfer.ts'
import { hashRequest } from '../../orders/intake/place-orders.ts'
import { isEnded, type OrderStatus } from '../../orders/order-life-cycle.ts'
import { outgoingReference } from '../../orders/outgoing-reference.ts'
import { packEvidence } from '../../orders/packed-evidence.ts'
import type { Tables } from '../../platform/database/database.ts'
import { addApproval } from './add-approval.ts'
import type { DemoHistory } from './demo-history.ts'
import { type DemoAccount, roleAt } from './invent-accounts.ts'
import { spend } from './pay-in.ts'

export type DemoSale = {
  readonly account: DemoAccount
  readonly at: number
  readonly kind: string
  /** In pesewas; for SMS in credits. */
  readonly price: number
  readonly recipient: string
  readonly details: Readonly<Record<string, unknown>>
  readonly route: string
  readonly firstStatus?: OrderStatus
}

/** Cost and commission that a supplier reports, in pesewas. Left out: it reports none. */
export type Reported = { readonly cost?: number | undefined; readonly commission?: number | undefined }

/**
 * An order that is being invented. `at` is the present moment of its life. After the end of the history nothing happens to it.
 */
export type DemoOrder = {
  readonly history: DemoHistory
  readonly sale: DemoSale
  readonly id: string
  readonly reference: string
  readonly attempts: Insertable<Tables['attempts']>[]
  at: number
  status: OrderStatus
  updatedAt: number
}

/** The time after an attempt's beginning in which it may still be sent. */
const sendWindowMilliseconds = 10_000

/** After this long, an order without a definitive answer is shown to a person. */
const stuckMilliseconds = 20 * 60_000

const evidenceOf: Readonly<Record<string, string>> = {
  accepted: 'HTTP 200 {"status":"success","message":"Order received"}',
  delivered: 'HTTP 200 {"status":"completed"}',
  failed: 'HTTP 200 {"status":"failed","message":"Could not be delivered"}',
  unknown: 'no answer within 15 s',
  never_received: 'HTTP 404 {"message":"Transaction not found"}',
  rejected_recipient: 'HTTP 400 {"message":"Invalid phone number"}',
  rejected_platform: 'HTTP 402 {"message":"Insufficient balance"}',
  unreachable: 'connect ECONNREFUSED',
}

export const isAfterHistory = ({ at, history }: DemoOrder) => at > history.until

/** Opens an order and pays it from its wallet. */
function openOrder(history: DemoHistory, sale: DemoSale, own: string): DemoOrder {
  const { account, kind, at, price: amount, firstStatus: status = 'pending' } = sale
  const id = history.chance.idAt(at)
  const reference = kind === 'utilities' ? `UTIL-DEMO-${id.replaceAll('-', '').slice(8).toUpperCase()}` : own
  const { paying, sales } = pursesOf(sale)
  const purchase = { causeId: id, kind: 'purchase', fromPurse: paying, toPurse: sales, amount } as const
  history.later(at, () => spend(history, account, at, purchase))
  return { history, sale, id, reference, attempts: [], at, status, updatedAt: at }
}

const pursesOf = ({ kind }: DemoSale) =>
  kind === 'sms' ? ({ paying: 'sms_credits', sales: 'sms_sales' } as const) : ({ paying: 'main', sales: 'sales' } as const)

/** Moves money for the order, at the order's present moment. */
function post({ history, sale, at }: DemoOrder, transfer: Omit<Transfer, 'accountId'>): void {
  history.later(at, () => history.post(at, { ...transfer, accountId: sale.account.id }))
}

export function move(order: DemoOrder, to: OrderStatus, reason: string | null, actor = 'worker'): void {
  if (isAfterHistory(order)) return
  const { history, id, status, at } = order
  const created_at = new Date(at)
  history.add('order_events', { order_id: id, from_status: status, to_status: to, reason, actor, created_at })
  order.status = to
  order.updatedAt = at
}

/** Sends the order to a supplier. The first send moves the order to `processing`. */
export function send(order: DemoOrder, supplier: string, expectedCost: number | undefined): void {
  if (order.status === 'pending') move(order, 'processing', null)
  if (isAfterHistory(order)) return
  const { history, attempts, id, at } = order
  const atSupplier = attempts.filter((earlier) => earlier.supplier === supplier).length + 1
  const attempt = {
    order_id: id,
    attempt_no: attempts.length + 1,
    supplier,
    outgoing_reference: outgoingReference(id, supplier, atSupplier),
    send_before: new Date(at + sendWindowMilliseconds),
    created_at: new Date(at),
    outcome: null,
    supplier_reference: null,
    answered_at: null,
    asks: 0,
    expected_cost: expectedCost ?? null,
  }
  attempts.push(attempt)
  history.add('attempts', attempt)
}

/** The supplier answers the last attempt, by a call or a callback, or a person has found out the outcome. */
export function answer(
  order: DemoOrder,
  source: 'send' | 'status' | 'callback' | 'person',
  outcome: string,
  reported: Reported = {},
): void {
  const { history, attempts, at } = order
  const attempt = attempts.at(-1)
  if (!attempt || isAfterHistory(order)) return
  const isTaken = outcome === 'accepted' || outcome === 'delivered'
  if (isTaken) attempt.supplier_reference ??= `${attempt.supplier.slice(0, 2).toUpperCase()}-${history.chance.hex(10)}`
  attempt.outcome = outcome
  attempt.answered_at = new Date(at)
  attempt.asks = (attempt.asks ?? 0) + (source === 'status' ? 1 : 0)
  history.add('attempt_answers', {
    order_id: order.id,
    attempt_no: attempt.attempt_no,
    source,
    answer: outcome,
    evidence: packEvidence(
      source === 'person' ? `ama and kofi: the supplier's list says ${outcome}` : (evidenceOf[outcome] ?? outcome),
    ),
    supplier_reference: attempt.supplier_reference ?? null,
    reported_cost: reported.cost ?? null,
    reported_commission: reported.commission ?? null,
    created_at: new Date(at),
  })
}

/** Completes the order and credits its commission. */
export function complete(order: DemoOrder, reason: string, actor?: string, reported: Reported = {}): void {
  move(order, 'completed', reason, actor)
  const { history, sale, id, at } = order
  const terms = commissionTermsOf(sale.details)
  if (!terms || isAfterHistory(order)) return
  const earned = splitCommission(pesewas(sale.price), reported.commission ?? null, terms)
  history.add('order_commissions', { order_id: id, account_id: sale.account.id, ...earned, created_at: new Date(at) })
  const purses = { fromPurse: 'commission_expense', toPurse: 'commission' } as const
  if (earned.caller > 0) post(order, { causeId: id, kind: 'commission', ...purses, amount: earned.caller })
}

export function postRefund(order: DemoOrder, kind: 'refund' | 'sms_refund' = 'refund', amount = order.sale.price): void {
  const { paying, sales } = pursesOf(order.sale)
  if (!isAfterHistory(order)) post(order, { causeId: order.id, kind, fromPurse: sales, toPurse: paying, amount })
}

export function refund(order: DemoOrder, actor?: string): void {
  order.at += 1
  move(order, 'refunded', null, actor)
  postRefund(order)
}

/** Two people decide about the order. @returns undefined after the end of the history */
export function decide(order: DemoOrder, kind: string, figures: object, evidence: string) {
  const { history, id, reference, at } = order
  if (isAfterHistory(order)) return undefined
  const request = { orderId: id, reference, ...figures }
  return addApproval(history, { at, kind, key: id, subject: reference, request, reason: evidence })
}

/** Adds evidence from the supplier that contradicts how the order ended. */
export function contradict(order: DemoOrder): void {
  const { history, attempts, id, status, at } = order
  const attempt = attempts.at(-1)
  if (!attempt || isAfterHistory(order)) return
  const said = status === 'completed' ? 'failed' : 'delivered'
  const evidence = `a callback of ${attempt.supplier} says ${said}: {"status":"${said}"}`
  const about = { id: history.chance.idAt(at), order_id: id, attempt_no: attempt.attempt_no }
  history.add('contradictions', { ...about, status, evidence, created_at: new Date(at) })
}

/** Writes the row of `open_orders`, which is the order's schedule. An order that no supplier fulfils has no next step. */
function schedule({ history, sale, id, status, attempts }: DemoOrder): void {
  const { chance, until } = history
  const isSupplied = !sale.route.startsWith('operator/') && !sale.route.startsWith('loop/')
  const attemptNo = attempts.at(-1)?.attempt_no ?? null
  const isStuck = attemptNo !== null && until - sale.at > stuckMilliseconds
  const nextStepAt = new Date(until + (attemptNo === null ? 0 : chance.between(60, 360) * 60_000))
  history.add('open_orders', {
    order_id: id,
    route: sale.route,
    next_step_at: isSupplied ? nextStepAt : sql<Date>`'infinity'`,
    attempt_no: attemptNo,
    hold_reason: status === 'queued' ? 'not_registered' : isStuck ? 'no_definitive_answer' : null,
    is_question: attemptNo !== null,
  })
}

/** Invents the account's order number `no`. `inventEvents` writes what happens to the order. */
export function inventOrder(history: DemoHistory, no: number, sale: DemoSale, inventEvents: (order: DemoOrder) => void): void {
  const { account, kind, price, recipient, details } = sale
  const own = `${account.slug}-${String(no).padStart(6, '0')}`
  const order = openOrder(history, sale, own)
  inventEvents(order)
  const { id, reference, status, updatedAt } = order
  const { role } = roleAt(account, sale.at)
  const bought = { id, account_id: account.id, kind, reference, price, recipient, details: JSON.stringify(details), role }
  history.add('orders', { ...bought, status, created_at: new Date(sale.at), updated_at: new Date(updatedAt) })
  // A real fingerprint is made from the request. Here any text will do, because nobody repeats a request of the demo's past.
  const fingerprint = Buffer.from(hashRequest([own]), 'hex')
  const taken = { account_id: account.id, order_id: id, kind, fingerprint, reference: own }
  if (kind === 'utilities' || kind === 'sms') history.add('account_references', { ...taken, service: kind })
  else history.add('order_references', taken)
  if (!isEnded(status)) schedule(order)
}
