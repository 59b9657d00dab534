import { randomBytes } from 'node:crypto'
import Value from 'typebox/value'
import type { Purchaser } from '../../accounts/caller.ts'
import type { CommissionPlan } from '../../money/commission-plan.ts'
import { amountProblem, formatGhs, type Pesewas, pesewas, pesewasFromGhs } from '../../money/pesewas.ts'
import { hashRequest, type Intake, placeOrders } from '../../orders/intake/place-orders.ts'
import { listOrdersById, type Order } from '../../orders/order.ts'
import type { OrderItem } from '../../orders/order-kind.ts'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Refusal, RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { Routes } from '../../suppliers/route-ports.ts'
import { type Biller, type BillerCatalogue, findDisabledBillerRefusal, readBiller } from './biller-catalogue.ts'
import { checkBillAccount, checkPaidAccount } from './check-bill-account.ts'
import type { BillPayment } from './utilities.kind.ts'
import { type BillerKey, PayReference, type UtilityPayBody } from './utilities.schemas.ts'
import { utilitiesMaxAmount, utilitiesMinAmount } from './utilities.settings.ts'

/** Finds an order by its account's own reference in one service's name space (decision R1: name spaces of references). */
async function findAccountOrder(
  db: Db,
  wanted: { accountId: string; service: string; reference: string },
): Promise<Order | undefined> {
  const held = await db
    .selectFrom('account_references')
    .select('order_id')
    .where('account_id', '=', wanted.accountId)
    .where('service', '=', wanted.service)
    .where('reference', '=', wanted.reference)
    .executeTakeFirst()
  if (!held) return undefined
  return (await listOrdersById(db, [held.order_id])).get(held.order_id)
}

/** 32 capitals and digits that are not confused on paper; a power of two, so that each is equally likely. */
const symbols = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const randomSymbols = 16

/** Makes our reference of a payment: `UTIL-<BILLER>-<random>` with 80 random bits (contract, Utility order). */
export function makeBillReference(biller: BillerKey): string {
  const random = Array.from(randomBytes(randomSymbols), (byte) => symbols[byte % symbols.length]).join('')
  return `UTIL-${biller.toUpperCase()}-${random}`
}

export type PayDeps = {
  readonly db: Db
  readonly intake: Intake
  readonly settings: Settings
  readonly billers: () => Promise<BillerCatalogue>
  readonly commissionPlan: () => Promise<CommissionPlan>
  readonly routes: Pick<Routes, 'choose'>
}

/** The result of a payment; on a replay only the order (contract, Utilities, 4). */
export type BillPaymentResult =
  | { readonly isReplay: true; readonly order: Order }
  | { readonly isReplay: false; readonly order: Order; readonly balancePesewas: Pesewas }

const kind = 'utilities'

/**
 * A reference is only an idempotency key here: any request with the same reference is the same payment (decision R8: what
 * the reference of a bill means).
 */
const anyRequest = hashRequest([kind])

/**
 * Finds the order of a request with an invalid body. If its reference has an order, the caller must get that order and not a
 * 4xx, which it would read as "not paid".
 */
async function findReplay(deps: PayDeps, purchaser: Purchaser, body: unknown): Promise<Order | undefined> {
  const reference = typeof body === 'object' && body !== null && 'reference' in body ? body.reference : undefined
  if (!Value.Check(PayReference, reference)) return undefined
  return findAccountOrder(deps.db, { accountId: purchaser.accountId, service: kind, reference })
}

/** Adds the biller's check of the phone to the errors of the schema, so that a 400 names every faulty field. */
async function addPhoneFault(deps: PayDeps, body: unknown, problem: Error): Promise<Error> {
  if (!(problem instanceof RefusalError) || typeof body !== 'object' || body === null) return problem
  const { biller: key, phone } = body as { biller?: BillerKey; phone?: unknown }
  const biller = key && (await deps.billers()).get(key)
  if (!biller || (phone !== undefined && typeof phone !== 'string')) return problem
  const fault = checkBillAccount(biller, phone === undefined ? {} : { phone })
  return fault ? new RefusalError(refusals.invalidRequest(`${problem.refusal.message} ${fault.message}`)) : problem
}

type ValidPayment = { readonly biller: Biller; readonly body: UtilityPayBody; readonly amountPesewas: Pesewas }

/**
 * Checks what the schema of the body cannot check: the biller, the phone, the account and the amount.
 * @throws RefusalError 400
 */
async function checkBody(deps: PayCheckDeps, body: UtilityPayBody): Promise<ValidPayment> {
  const biller = await readBiller(deps.billers, body.biller)
  const refusal = checkPaidAccount(biller, body)
  if (refusal) throw new RefusalError(refusal)
  const amountPesewas = pesewasFromGhs(body.amount)
  if (amountPesewas === undefined) throw new RefusalError(refusals.invalidRequest(`amount ${amountProblem(body.amount)}.`))
  return { biller, body, amountPesewas }
}

/** Checks that apply to new payments only, not to replays: the switches, then the bounds (decision A4: the order of checks). */
async function refusalIfNew(deps: PayCheckDeps, { biller, amountPesewas }: ValidPayment): Promise<Refusal | undefined> {
  const disabled = await findDisabledBillerRefusal(deps.settings, biller.key)
  if (disabled) return disabled
  const [minimum, maximum] = await Promise.all([deps.settings.read(utilitiesMinAmount), deps.settings.read(utilitiesMaxAmount)])
  const [least, most] = [pesewasFromGhs(minimum) ?? pesewas(0), pesewasFromGhs(maximum) ?? pesewas(0)]
  if (amountPesewas >= least && amountPesewas <= most) return undefined
  return refusals.invalidRequest(`amount must be between ${formatGhs(least)} and ${formatGhs(most)}.`)
}

export type PayCheckDeps = Omit<PayDeps, 'intake'>

/**
 * Prepares a payment for the intake.
 * @throws RefusalError 400 when the biller, the phone, the account or the amount is not valid
 */
export async function makeBillItem(
  deps: PayCheckDeps,
  purchaser: Purchaser,
  body: UtilityPayBody,
): Promise<OrderItem<BillPayment>> {
  return makeItem(deps, purchaser, await checkBody(deps, body))
}

async function makeItem(deps: PayCheckDeps, purchaser: Purchaser, payment: ValidPayment): Promise<OrderItem<BillPayment>> {
  const { biller, body, amountPesewas } = payment
  const request: BillPayment = {
    biller: biller.key,
    account: body.account,
    phone: biller.requiresPhone ? body.phone : undefined,
    amountPesewas,
    plan: await deps.commissionPlan(),
    refusalIfNew: await refusalIfNew(deps, payment),
    route: deps.routes.choose(kind, biller.key),
  }
  return {
    orderId: newId(),
    accountId: purchaser.accountId,
    personId: purchaser.personId,
    kind,
    reference: makeBillReference(biller.key),
    repeatKey: body.reference === undefined ? { scope: 'none' } : { scope: 'account', service: kind, reference: body.reference },
    fingerprint: anyRequest,
    request,
  }
}

/**
 * Pays a bill (contract, POST /utilities/pay). A repeated reference returns the original order and charges nothing; nothing
 * else in the request is checked then.
 * @param problem the schema's error for the body; thrown only if the reference is new
 * @throws RefusalError as the contract's error table says; no money has moved, except perhaps with `outcome_unknown`
 */
export async function payBill(
  deps: PayDeps,
  purchaser: Purchaser,
  body: unknown,
  problem: Error | undefined,
): Promise<BillPaymentResult> {
  let payment: ValidPayment
  try {
    if (problem) throw await addPhoneFault(deps, body, problem)
    payment = await checkBody(deps, body as UtilityPayBody)
  } catch (error) {
    const order = await findReplay(deps, purchaser, body)
    if (order) return { isReplay: true, order }
    throw error
  }
  const outcome = await placeOrders(deps.intake, purchaser.accountId, [await makeItem(deps, purchaser, payment)])
  if ('refusal' in outcome) throw new RefusalError(outcome.refusal)
  const [placement] = outcome.placements
  if (!placement) throw new Error('a payment was placed without an order')
  if (placement.isReplay) return { isReplay: true, order: placement.order }
  return { isReplay: false, order: placement.order, balancePesewas: pesewas(outcome.balance) }
}
