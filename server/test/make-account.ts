import type { KeyType, Role } from '../src/accounts/caller.ts'
import { createAccount } from '../src/accounts/create-account.ts'
import { createKey } from '../src/accounts/create-key.ts'
import { creditWallet } from '../src/money/credit-wallet.ts'
import type { Person } from '../src/platform/approvals/two-people.ts'
import type { Db } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { newId } from '../src/platform/database/new-id.ts'

const actor = 'test'
let accounts = 0

/** Makes an account with money in its main wallet. */
export function makeAccount(
  db: Db,
  options: { role?: Role; roleExpiresAt?: Date | null; balancePesewas?: number } = {},
): Promise<{ accountId: string }> {
  return inTransaction(db, async (tx) => {
    accounts += 1
    const { accountId } = await createAccount(tx, {
      email: `reseller-${accounts}-${newId()}@example.test`,
      name: `Reseller ${accounts}`,
      role: options.role ?? 'agent',
      roleExpiresAt: options.roleExpiresAt ?? null,
      isBusiness: true,
      isPolicyAccepted: true,
      actor,
    })
    if (options.balancePesewas) {
      await creditWallet(tx, { accountId, purse: 'main', amount: options.balancePesewas, actor })
    }
    return { accountId }
  })
}

/** Creates an active key and returns it. */
export async function makeKeyFor(db: Db, accountId: string, type: KeyType = 'standard'): Promise<string> {
  const { key } = await inTransaction(db, (tx) => createKey(tx, { accountId, type, isPending: false, prefix: 'makola', actor }))
  return key
}

/** A person with this name, who works as a user of the same name. */
export const personNamed = (by: string): Person => ({ by, osUser: by })
