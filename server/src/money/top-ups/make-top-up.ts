import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { countForThirdParty } from '../../platform/http/limits/third-party-limits.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { type Pesewas, pesewas } from '../pesewas.ts'
import { lockWallets } from '../wallets.ts'
import type { TopUpRow } from './read-top-up.ts'
import { topUpRefusals } from './top-ups.refusals.ts'
import type { TopUpTerms } from './top-ups.settings.ts'

/** The most top-ups of one account through gateways that may be open at once. */
const openMax = 20

export type TopUpRequest = {
  readonly accountId: string
  readonly pageReference: string
  readonly way: string
  /** The phone number on which the gateway asks the payer. */
  readonly payerPhone?: string | undefined
  readonly amount: Pesewas
  /** The fee that the screen showed. */
  readonly fee: Pesewas
  readonly madeBy: string
  /** True: the worker begins it, because the balance fell below the account's floor. */
  readonly isByFloor?: boolean
}

/** Finds the earlier top-up with this reference of the page. @throws RefusalError when it differs from the new request */
export async function findRepeated(
  tx: Tx,
  request: Pick<TopUpRequest, 'accountId' | 'pageReference' | 'way' | 'payerPhone' | 'amount'> & {
    readonly transferKey?: string
  },
): Promise<TopUpRow | undefined> {
  const earlier = await tx
    .selectFrom('top_ups')
    .selectAll()
    .where('account_id', '=', request.accountId)
    .where('page_reference', '=', request.pageReference)
    .executeTakeFirst()
  if (!earlier) return undefined
  const { way, amount, payerPhone = null, transferKey = null } = request
  const isSame =
    earlier.way === way && earlier.amount === amount && earlier.payer_phone === payerPhone && earlier.transfer_key === transferKey
  if (!isSame) throw new RefusalError(topUpRefusals.referenceTaken)
  return earlier
}

/**
 * `amount`: the sum of the account's top-ups through gateways that were made today in Accra and are open, credited or held, in
 * whole pesewas. `open`: the number of its open top-ups through gateways, of any day.
 */
export async function readTopUpsToday(tx: Tx, accountId: string): Promise<{ readonly amount: Pesewas; readonly open: number }> {
  const { rows } = await sql<{ amount: number; open: number }>`
    select coalesce(sum(amount) filter (where created_at >= date_trunc('day', clock_timestamp(), 'Africa/Accra')), 0)::bigint as amount,
      count(*) filter (where state = 'pending') as open
    from top_ups
    where account_id = ${accountId} and way <> 'transfer' and state in ('pending', 'credited', 'held')
      and (state = 'pending' or created_at >= date_trunc('day', clock_timestamp(), 'Africa/Accra'))`.execute(tx)
  const [sum] = rows
  return { amount: pesewas(sum?.amount ?? 0), open: sum?.open ?? 0 }
}

async function checkLimits(tx: Tx, { accountId, amount }: TopUpRequest, terms: TopUpTerms): Promise<void> {
  const today = await readTopUpsToday(tx, accountId)
  if (today.open >= openMax) throw new RefusalError(topUpRefusals.tooManyOpen)
  const left = pesewas(Math.max(0, terms.dailyLimit - today.amount))
  if (amount > left) throw new RefusalError(topUpRefusals.overDailyLimit(left))
}

/**
 * Writes a new top-up through a gateway, before any call to the gateway. A repeat with the same page reference finds the first
 * one. The wallet's lock lets only one top-up of an account be made at a time, so two together cannot exceed the day's limit.
 *
 * @throws RefusalError for a wrong amount or an old fee, above a limit of the account or of the phone, and when the page's
 * reference belongs to another top-up; nothing was written
 */
export async function makeTopUp(
  tx: Tx,
  request: TopUpRequest,
  terms: TopUpTerms,
): Promise<{ readonly topUpId: string; readonly isNew: boolean }> {
  await lockWallets(tx, [{ accountId: request.accountId, purse: 'main' }])
  const earlier = await findRepeated(tx, request)
  if (earlier) return { topUpId: earlier.id, isNew: false }
  const { amount } = request
  if (amount < terms.smallest || amount > terms.largest) {
    throw new RefusalError(topUpRefusals.amountOutside(terms.smallest, terms.largest))
  }
  if (terms.quote(amount).fee !== request.fee) throw new RefusalError(topUpRefusals.feeChanged)
  await checkLimits(tx, request, terms)
  if (request.payerPhone !== undefined) {
    await countForThirdParty(tx, 'paymentPrompt', { recipient: request.payerPhone, account: request.accountId })
  }
  const id = newId()
  const { rows } = await sql<{ id: string }>`
    insert into top_ups (id, account_id, way, payer_phone, reference, page_reference, amount, fee, state, made_by, is_by_floor, next_ask_at, expires_at)
    select ${id}, ${request.accountId}, ${request.way}, ${request.payerPhone ?? null}, ${`topup-${id}`}, ${request.pageReference}, ${amount}, ${request.fee}, 'pending',
      ${request.madeBy}, ${request.isByFloor === true}, clock_timestamp() + interval '30 seconds', clock_timestamp() + make_interval(mins => ${terms.minutes})
    returning id`.execute(tx)
  if (!rows[0]) throw new Error('a top-up was not written')
  return { topUpId: id, isNew: true }
}
