import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { transferMany } from './transfer-many.ts'
import { lockWallets } from './wallets.ts'

export type WalletCredit = {
  accountId: string
  /** `main` takes pesewas, `sms_credits` whole credits. */
  purse: 'main' | 'sms_credits'
  amount: number
  /** The credit with this id is made only once. A repeat with another account, purse or amount is refused. */
  externalId?: string | undefined
  /** The page's reference, for a credit at the desk. */
  pageReference?: string | undefined
  note?: string | undefined
  actor: string
  /** The user of the operating system, or the sign-in at the desk, of one person who credits alone. */
  osUser?: string
  /** The approval, for a credit that two people agreed on. */
  approvalId?: string
  /** The limit of one person at that time. The audit compares the credit with it. */
  onePersonLimit?: number
}

/** The credit, made by this call or by an earlier one. */
export type WalletCreditResult = {
  creditId: string
  balance: number
  /** True when this credit was made before this call; nothing moved then. */
  isReplay: boolean
  creditedAt: Date
  creditedBy: string
}

/** Thrown when an external id or a page reference comes back with another credit. Nothing was credited. */
export class ExternalIdTakenError extends OperatorRequestError {
  override readonly name = 'ExternalIdTakenError'
  constructor(externalId: string) {
    super(`The id ${externalId} was already used for a different credit.`)
  }
}

/**
 * Credits an account's wallet by hand, exactly once per external id, even when several callers try at the same time.
 *
 * @throws ExternalIdTakenError when the id was used for another credit
 */
export async function creditWallet(tx: Tx, credit: WalletCredit): Promise<WalletCreditResult> {
  const id = newId()
  await lockWallets(tx, [{ accountId: credit.accountId, purse: credit.purse }])
  const inserted = await tx
    .insertInto('wallet_credits')
    .values({
      id,
      account_id: credit.accountId,
      purse: credit.purse,
      external_id: credit.externalId ?? null,
      amount: credit.amount,
      note: credit.note ?? null,
      actor: credit.actor,
      approval_id: credit.approvalId ?? null,
      one_person_limit: credit.onePersonLimit ?? null,
      os_user: credit.osUser ?? null,
      page_reference: credit.pageReference ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'created_at'])
    .executeTakeFirst()
  if (!inserted) {
    const earlier = await findEarlierCredit(tx, credit)
    if (earlier) return earlier
    if (credit.externalId === undefined) throw new Error('a credit was neither made nor found')
    throw new ExternalIdTakenError(credit.externalId)
  }
  const isCredits = credit.purse === 'sms_credits'
  const [posted] = await transferMany(tx, [
    {
      causeId: id,
      kind: isCredits ? 'sms_credit' : 'credit',
      accountId: credit.accountId,
      fromPurse: isCredits ? 'sms_credit_sales' : 'top_ups',
      toPurse: credit.purse,
      amount: credit.amount,
      ...(credit.note === undefined ? {} : { note: credit.note }),
    },
  ])
  if (posted?.toBalanceAfter == null) throw new Error('a credit reached no wallet')
  const { toBalanceAfter: balance } = posted
  return { creditId: id, balance, isReplay: false, creditedAt: inserted.created_at, creditedBy: credit.actor }
}

/**
 * Finds the earlier credit with the same external id or, at the desk, with the same page reference.
 *
 * @throws ExternalIdTakenError when that credit has another account, purse, amount or external id
 */
export async function findEarlierCredit(
  tx: Tx,
  credit: Pick<WalletCredit, 'accountId' | 'purse' | 'amount' | 'externalId' | 'pageReference'>,
): Promise<WalletCreditResult | undefined> {
  const { externalId, pageReference } = credit
  if (externalId === undefined) return undefined
  const earlier = await tx
    .selectFrom('wallet_credits')
    .select(['id', 'account_id', 'purse', 'amount', 'actor', 'external_id', 'created_at'])
    .where(pageReference === undefined ? 'external_id' : 'page_reference', '=', pageReference ?? externalId)
    .executeTakeFirst()
  if (!earlier) return undefined
  const isSame =
    earlier.account_id === credit.accountId &&
    earlier.purse === credit.purse &&
    earlier.amount === credit.amount &&
    earlier.external_id === externalId
  if (!isSame) throw new ExternalIdTakenError(externalId)
  const wallet = await tx
    .selectFrom('wallets')
    .select('balance')
    .where('account_id', '=', credit.accountId)
    .where('purse', '=', credit.purse)
    .executeTakeFirstOrThrow()
  const { id, created_at: creditedAt, actor } = earlier
  return { creditId: id, balance: wallet.balance, isReplay: true, creditedAt, creditedBy: actor }
}
