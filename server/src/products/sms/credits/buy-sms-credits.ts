import { sql } from 'kysely'
import { type Credits, credits } from '../../../money/amount.ts'
import { formatGhs, type Pesewas, pesewas, pesewasFromGhs } from '../../../money/pesewas.ts'
import { transferMany } from '../../../money/transfer-many.ts'
import { lockWallets, walletId } from '../../../money/wallets.ts'
import { spendWithinLimit } from '../../../orders/spending/spending-limits.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { RefusalError, refusals } from '../../../platform/http/refusals.ts'
import { readSetting } from '../../../platform/settings/settings.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { smsCreditPacks } from '../sms.settings.ts'

/** A pack of SMS credits as it is sold now. */
export type CreditPack = { readonly credits: Credits; readonly price: Pesewas }

/** A purchase at the price that the person was shown. */
export type CreditPurchaseRequest = CreditPack & {
  readonly accountId: string
  /** The page's reference of this purchase, unique in the account. */
  readonly reference: string
  /** The e-mail of the person. */
  readonly actor: string
  /** The purchase counts towards this person's daily limit. */
  readonly personId: string
}

/** The purchase, made by this or an earlier call with the reference, and the present balances. */
export type CreditPurchase = CreditPack & {
  readonly purchaseId: string
  readonly isReplay: boolean
  readonly balance: Pesewas
  readonly creditsBalance: Credits
}

/** The packs that are sold now, smallest first. */
export async function listCreditPacks(db: Db | Tx): Promise<CreditPack[]> {
  const packs = await readSetting(db, smsCreditPacks)
  const read = packs.map((pack) => ({ credits: credits(pack.credits), price: pesewas(pesewasFromGhs(pack.price) ?? 0) }))
  return read.toSorted((one, other) => one.credits - other.credits)
}

async function isBusiness(tx: Tx, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from accounts where id = ${accountId} and is_business`.execute(tx)
  return rows.length > 0
}

async function refuseOtherPrice(tx: Tx, { credits: wanted, price }: CreditPack): Promise<void> {
  const prices = (await listCreditPacks(tx)).filter((pack) => pack.credits === wanted).map((pack) => pack.price)
  const [first] = prices
  if (first === undefined) throw new RefusalError(smsRefusals.packNotSold)
  if (!prices.includes(price)) throw new RefusalError(refusals.priceChanged(formatGhs(first)))
}

async function findEarlier(tx: Tx, request: CreditPurchaseRequest): Promise<string | undefined> {
  const earlier = await tx
    .selectFrom('sms_credit_purchases')
    .select(['id', 'credits', 'price'])
    .where('account_id', '=', request.accountId)
    .where('reference', '=', request.reference)
    .executeTakeFirst()
  if (!earlier) return undefined
  if (earlier.credits !== request.credits || earlier.price !== request.price) throw new RefusalError(refusals.referenceTaken)
  return earlier.id
}

/** Writes the purchase and its two transfers: the price leaves the wallet, the credits come in. */
async function makePurchase(tx: Tx, request: CreditPurchaseRequest): Promise<string> {
  const { accountId, reference, actor, price } = request
  const id = newId()
  await tx
    .insertInto('sms_credit_purchases')
    .values({ id, account_id: accountId, reference, credits: request.credits, price, actor })
    .execute()
  const cause = { causeId: id, accountId, note: `${request.credits} SMS credits for ${formatGhs(price)}` }
  await transferMany(tx, [
    { ...cause, kind: 'credits_paid', fromPurse: 'main', toPurse: 'sales', amount: price },
    { ...cause, kind: 'credits_bought', fromPurse: 'sms_credit_sales', toPurse: 'sms_credits', amount: request.credits },
  ])
  return id
}

/**
 * Buys SMS credits from the account's wallet, exactly once per reference however many callers race.
 * @throws RefusalError when the pack is not sold at this price any more, the account is no business, the wallet has too
 *   little, or the reference belongs to another purchase; then nothing has moved
 */
export async function buySmsCredits({ db }: { readonly db: Db }, request: CreditPurchaseRequest): Promise<CreditPurchase> {
  const { accountId, price } = request
  return inTransaction(db, async (tx) => {
    const keys = [
      { accountId, purse: 'main' },
      { accountId, purse: 'sms_credits' },
    ] as const
    const wallets = await lockWallets(tx, keys)
    const [main, bought] = keys.map((key) => wallets.get(walletId(key))?.balance ?? 0)
    // Read under the wallets' lock, so any earlier purchase under this reference has been committed and is found.
    const earlier = await findEarlier(tx, request)
    if (earlier === undefined) {
      if (!(await isBusiness(tx, accountId))) throw new RefusalError(smsRefusals.businessAccountNeeded)
      await refuseOtherPrice(tx, request)
      if ((main ?? 0) < price) throw new RefusalError(refusals.insufficientFunds)
      await spendWithinLimit(tx, { accountId, personId: request.personId }, price)
    }
    const purchaseId = earlier ?? (await makePurchase(tx, request))
    const moved = earlier === undefined ? 1 : 0
    return {
      purchaseId,
      isReplay: earlier !== undefined,
      credits: request.credits,
      price,
      balance: pesewas((main ?? 0) - moved * price),
      creditsBalance: credits((bought ?? 0) + moved * request.credits),
    }
  })
}
