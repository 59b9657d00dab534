import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { type CommissionPlan, commissionTerms, readCommissionPlan } from '../../money/commission-plan.ts'
import { CommissionTerms } from '../../money/commission-terms.ts'
import type { Pesewas } from '../../money/pesewas.ts'
import { createDetailsReader } from '../../orders/create-details-reader.ts'
import type { OrderItem, OrderKind } from '../../orders/order-kind.ts'
import type { TableRow, Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import { Nullable, OneOf } from '../../platform/http/schemas.ts'
import { billRefusals } from './utilities.refusals.ts'
import { type BillerKey, billerKeys } from './utilities.schemas.ts'

/** A requested bill payment, with the facts that this process knew when the request came. */
export type BillPayment = {
  readonly biller: BillerKey
  readonly account: string
  /** 10 digits starting with 0; only where the biller requires it. */
  readonly phone: string | undefined
  readonly amountPesewas: Pesewas
  /** Rates and shares that this process has cached. If they have changed, they are read again under the lock. */
  readonly plan: CommissionPlan
  /** The refusal of a switch or the bounds, if any. It does not apply to a replay. */
  readonly refusalIfNew: Refusal | undefined
  /** The route on which the order would start. Undefined: no supplier has a route for the biller. */
  readonly route: string | undefined
}

const BillDetails = Type.Object({
  biller: OneOf(billerKeys),
  phone: Nullable(Type.String()),
  /**
   * The holder's name from this reseller's look-up, else empty. The supplier may report a newer one with the payment (decision
   * F4: whose name a bill shows).
   */
  accountName: Type.String(),
  commission: CommissionTerms,
})

type BillDetails = Static<typeof BillDetails>

export const readBillDetails = createDetailsReader('utilities', BillDetails)

type BillRead = {
  readonly fresh: CommissionPlan | undefined
  /** Time of each bill's last payment, if that is recent, by `billKey`. */
  readonly paidAt: ReadonlyMap<string, Date>
  /** Bills that earlier items of this batch pay, by `billKey`. */
  readonly paidHere: Set<string>
  /** Names by `holderKey`. */
  readonly names: ReadonlyMap<string, string>
}

/**
 * A reseller cannot pay the same amount to the same account of a biller twice within this time (contract, Utilities, 6;
 * decision R9).
 */
const duplicateWindowSeconds = 30

const billKey = (accountId: string, biller: string, account: string, amountPesewas: number) =>
  JSON.stringify([accountId, biller, account, amountPesewas])

const holderKey = (accountId: string, biller: string, account: string) => JSON.stringify([accountId, biller, account])

function keyOf({ accountId, request }: OrderItem<BillPayment>): string {
  return billKey(accountId, request.biller, request.account, request.amountPesewas)
}

/**
 * Reads accounts' recent payments. A payment needs the lock of its account's wallet, which this transaction holds, so these
 * accounts pay nothing meanwhile. Reads twice as far back as the window, because the window counts from the moment the batch
 * was opened. The condition on ids only skips partitions of the table for earlier months; its hour allows for clocks that
 * differ.
 */
async function readPaidLately(tx: Tx, items: readonly OrderItem<BillPayment>[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ account_id: string; recipient: string; price: number; biller: string; paid_at: Date }>`
    select account_id, recipient, price, details ->> 'biller' as biller, max(created_at) as paid_at
    from orders
    where kind = 'utilities'
      and ${rowsOf(items, {
        account_id: ['uuid', (item) => item.accountId],
        recipient: ['text', (item) => item.request.account],
      }).matching('orders')}
      and created_at > clock_timestamp() - make_interval(secs => ${2 * duplicateWindowSeconds})
      and id > first_id_at(now() - interval '1 hour')
    group by account_id, recipient, price, details ->> 'biller'`.execute(tx)
  return new Map(rows.map((row) => [billKey(row.account_id, row.biller, row.recipient, row.price), row.paid_at]))
}

async function readNames(tx: Tx, items: readonly OrderItem<BillPayment>[]): Promise<Map<string, string>> {
  const { rows } = await sql<TableRow<'looked_up_accounts', 'account_id' | 'biller' | 'account_number' | 'account_name'>>`
    select account_id, biller, account_number, account_name from looked_up_accounts
    where ${rowsOf(items, {
      account_id: ['uuid', (item) => item.accountId],
      biller: ['text', (item) => item.request.biller],
      account_number: ['text', (item) => item.request.account],
    }).matching('looked_up_accounts')}`.execute(tx)
  return new Map(rows.map((row) => [holderKey(row.account_id, row.biller, row.account_number), row.account_name]))
}

/**
 * Seconds for which the bill still counts as just paid, rounded up (decision R9: one bill twice within 30 s). 0 when it does
 * not.
 */
function windowSecondsLeft(item: OrderItem<BillPayment>, now: Date, read: BillRead): number {
  const key = keyOf(item)
  if (read.paidHere.has(key)) return duplicateWindowSeconds
  const paidAt = read.paidAt.get(key)
  if (paidAt === undefined) return 0
  const passedSeconds = Math.max(0, (now.getTime() - paidAt.getTime()) / 1_000)
  return Math.max(0, Math.ceil(duplicateWindowSeconds - passedSeconds))
}

/** Utility bills, as the intake sees them: the face value is debited. */
export const utilitiesKind: OrderKind<BillPayment, BillRead> = {
  name: 'utilities',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  async read(tx, items, catalogueVersion) {
    const isStale = items.some((item) => item.request.plan.version !== catalogueVersion)
    return {
      fresh: isStale ? await readCommissionPlan(tx) : undefined,
      paidAt: await readPaidLately(tx, items),
      paidHere: new Set(),
      names: await readNames(tx, items),
    }
  },
  decide(item, { account, now }, read) {
    const { request } = item
    if (request.refusalIfNew) return { refusal: request.refusalIfNew }
    if (request.route === undefined) return { refusal: refusals.networkUnavailable(`the biller ${request.biller}`) }
    const secondsLeft = windowSecondsLeft(item, now, read)
    if (secondsLeft > 0) return { refusal: billRefusals.duplicatePayment(secondsLeft) }
    const details: BillDetails = {
      biller: request.biller,
      phone: request.phone ?? null,
      accountName: read.names.get(holderKey(item.accountId, request.biller, request.account)) ?? '',
      commission: commissionTerms(read.fresh ?? request.plan, 'utilities', request.biller, account.pricingRole),
    }
    return {
      status: 'pending',
      price: request.amountPesewas,
      recipient: request.account,
      route: request.route,
      details,
    }
  },
  fork: (read) => ({ ...read, paidHere: new Set(read.paidHere) }),
  take(item, read) {
    read.paidHere.add(keyOf(item))
  },
  write: () => Promise.resolve(),
}
