import type { Tx } from '../platform/database/database.ts'
import { isAccountPurse, type PostedTransfer, postTransfer, type Transfer } from './post-transfer.ts'
import { lockWallets, type WalletKey, walletId } from './wallets.ts'
import { writeTransfers } from './write-transfers.ts'

/**
 * Moves money or SMS credits for causes other than a purchase, such as refunds and top-ups. Locks the wallets first. So call it
 * before anything else in the transaction takes a lock, unless these wallets are locked already. The primary key of `transfers`
 * refuses a second transfer of the same cause and kind, also from another process.
 *
 * @throws RangeError when a wallet would fall below zero, or an amount is not a positive whole number
 */
export async function transferMany(tx: Tx, transfers: readonly Transfer[]): Promise<PostedTransfer[]> {
  if (transfers.length === 0) return []
  const keys = new Map<string, WalletKey>()
  for (const { accountId, fromPurse, toPurse } of transfers) {
    for (const purse of [fromPurse, toPurse]) {
      if (isAccountPurse(purse)) keys.set(walletId({ accountId, purse }), { accountId, purse })
    }
  }
  const wallets = await lockWallets(tx, [...keys.values()])
  const posted = transfers.map((transfer) => postTransfer(wallets, transfer))
  await writeTransfers(tx, posted)
  return posted
}
