import type { Tx } from '../../platform/database/database.ts'
import { raiseEpoch } from '../../platform/database/epoch.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { lockKey } from '../lock-key.ts'
import { readAddressRanges } from './address-ranges.ts'

/** A key has at most this many addresses and networks, because each is compared with the caller's address at every request. */
export const allowedAddressesMax = 50

/**
 * Sets the addresses from which a key may be used. Every process follows within a second. An empty list means everywhere.
 *
 * @returns the addresses in canonical form
 * @throws AccountError when there is no such key, RefusalError 400 for a text that is neither an address nor a network
 */
export async function setKeyAddresses(
  tx: Tx,
  { keyId, addresses, actor }: { keyId: string; addresses: readonly string[]; actor: string },
): Promise<{ keyId: string; addresses: string[] }> {
  const ranges = readAddressRanges(addresses)
  const key = await lockKey(tx, keyId)
  await tx.updateTable('api_keys').set({ allowed_addresses: ranges }).where('id', '=', key.id).execute()
  const details = { account_id: key.accountId, before: { addresses: key.addresses }, after: { addresses: ranges } }
  await appendOperatorLog(tx, { actor, action: 'key allow', subject: key.id, details })
  await raiseEpoch(tx)
  return { keyId: key.id, addresses: ranges }
}
