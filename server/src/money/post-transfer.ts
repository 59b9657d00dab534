import type { AccountPurse, PlatformPurse, TransferKind } from './money.tables.ts'
import { type WalletStates, walletId } from './wallets.ts'

/** One amount to move between two purses, at least one of them an account's. */
export type Transfer = {
  /** The id of the cause, such as an order or a top-up; unique together with `kind`. */
  readonly causeId: string
  readonly kind: TransferKind
  readonly accountId: string
  readonly fromPurse: AccountPurse | PlatformPurse
  readonly toPurse: AccountPurse | PlatformPurse
  /** Whole pesewas, or whole credits when a purse holds credits. Above 0. */
  readonly amount: number
  readonly note?: string
}

/** A transfer with its place in the ledger of each wallet it touches. */
export type PostedTransfer = Transfer & {
  readonly fromEntryNo: number | null
  readonly toEntryNo: number | null
  readonly fromBalanceAfter: number | null
  readonly toBalanceAfter: number | null
}

const accountPurses: ReadonlySet<string> = new Set<AccountPurse>(['main', 'commission', 'sms_credits'])

export function isAccountPurse(purse: AccountPurse | PlatformPurse): purse is AccountPurse {
  return accountPurses.has(purse)
}

type Side = { entryNo: number | null; balanceAfter: number | null }

function postSide(wallets: WalletStates, transfer: Transfer, purse: AccountPurse | PlatformPurse, change: number): Side {
  if (!isAccountPurse(purse)) return { entryNo: null, balanceAfter: null }
  const id = walletId({ accountId: transfer.accountId, purse })
  const wallet = wallets.get(id)
  if (!wallet) throw new Error(`wallet ${id} is not locked here`)
  const balance = wallet.balance + change
  if (balance < 0) throw new RangeError(`wallet ${id} would fall below zero`)
  const next = { balance, lastEntryNo: wallet.lastEntryNo + 1 }
  wallets.set(id, next)
  return { entryNo: next.lastEntryNo, balanceAfter: next.balance }
}

/**
 * Enters a transfer in the books of locked wallets: takes the next entry number of each wallet, and computes the balance after
 * it. Changes nothing but `wallets`. The caller checks funds first, so an overdraft here is a bug.
 *
 * @throws RangeError when a wallet would fall below zero or the amount is not a positive whole number
 */
export function postTransfer(wallets: WalletStates, transfer: Transfer): PostedTransfer {
  if (!Number.isSafeInteger(transfer.amount) || transfer.amount <= 0) throw new RangeError(`not an amount: ${transfer.amount}`)
  const from = postSide(wallets, transfer, transfer.fromPurse, -transfer.amount)
  const to = postSide(wallets, transfer, transfer.toPurse, transfer.amount)
  return {
    ...transfer,
    fromEntryNo: from.entryNo,
    toEntryNo: to.entryNo,
    fromBalanceAfter: from.balanceAfter,
    toBalanceAfter: to.balanceAfter,
  }
}
