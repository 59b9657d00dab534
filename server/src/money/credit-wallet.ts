import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { transferMany } from './move-money.ts'

export type WalletCredit = {
  accountId: string
  /** `main` takes pesewas, `sms_credits` whole credits. */
  purse: 'main' | 'sms_credits'
  amount: number
  /** The same id credits once; a repeat with other figures is refused. */
  externalId?: string
  note?: string
  actor: string
}

/** What a credit came to: the wallet's balance now, and whether this call was the one that credited. */
export type WalletCreditResult = { balance: number; isReplay: boolean }

/** Thrown when an external id comes back with another account, purse or amount. Nothing was credited. */
export class ExternalIdTakenError extends Error {
  constructor(externalId: string) {
    super(`The id ${externalId} was already used for a different credit.`)
    this.name = 'ExternalIdTakenError'
  }
}

/**
 * Credits an account's wallet by hand, exactly once per external id however many callers race.
 *
 * @throws ExternalIdTakenError when the id was used for another credit
 */
export async function creditWallet(tx: Tx, credit: WalletCredit): Promise<WalletCreditResult> {
  const id = newId()
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
    })
    .onConflict((conflict) => conflict.constraint('wallet_credits_once_per_external_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return replayCredit(tx, credit)
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
  return { balance: posted.toBalanceAfter, isReplay: false }
}

async function replayCredit(tx: Tx, credit: WalletCredit): Promise<WalletCreditResult> {
  const earlier = await tx
    .selectFrom('wallet_credits')
    .select(['account_id', 'purse', 'amount'])
    .where('external_id', '=', credit.externalId ?? '')
    .executeTakeFirstOrThrow()
  if (earlier.account_id !== credit.accountId || earlier.purse !== credit.purse || earlier.amount !== credit.amount) {
    throw new ExternalIdTakenError(credit.externalId ?? '')
  }
  const wallet = await tx
    .selectFrom('wallets')
    .select('balance')
    .where('account_id', '=', credit.accountId)
    .where('purse', '=', credit.purse)
    .executeTakeFirstOrThrow()
  return { balance: wallet.balance, isReplay: true }
}
