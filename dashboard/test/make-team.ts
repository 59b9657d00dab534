import type { Role } from '../../server/src/accounts/caller.ts'
import { createAccount } from '../../server/src/accounts/create-account.ts'
import { readAccount } from '../../server/src/accounts/find-account.ts'
import { creditWallet } from '../../server/src/money/credit-wallet.ts'
import { hashPersonPassword } from '../../server/src/people/auth/hash-password.ts'
import { createMember } from '../../server/src/people/manage-people.ts'
import type { MemberRole } from '../../server/src/people/permissions/member-permissions.ts'
import type { Db, Tx } from '../../server/src/platform/database/database.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'

/** An account with an owner, a buyer and a viewer. */
export type NewTeam = {
  /** The e-mail of an account that is there already; a new one if left out. */
  readonly account?: string
  /** An agent if left out. */
  readonly role?: Role
  /** Approved for SMS. True if left out. */
  readonly isBusiness?: boolean
  /** The developer policy is accepted. True if left out. */
  readonly isPolicyAccepted?: boolean
  /** GHS 1,000 if left out. */
  readonly balancePesewas?: number
  /** 0 if left out. */
  readonly smsCredits?: number
}

/** The password of every person that a test makes. */
export const passwordOfAll = 'correct horse battery'

const accountName = 'Adom Ventures'

const actor = 'test'
const roles: readonly MemberRole[] = ['owner', 'buyer', 'viewer']

export const emailOf = (role: MemberRole): string => `${role}@adom.test`

async function makeOffice(tx: Tx, team: NewTeam): Promise<string> {
  const { role = 'agent', isBusiness = true, isPolicyAccepted = true, balancePesewas = 100_000, smsCredits = 0 } = team
  const account = { name: accountName, email: 'office@adom.test', role, roleExpiresAt: null, isBusiness, isPolicyAccepted, actor }
  const { accountId } = await createAccount(tx, account)
  if (balancePesewas > 0) await creditWallet(tx, { accountId, purse: 'main', amount: balancePesewas, actor })
  if (smsCredits > 0) await creditWallet(tx, { accountId, purse: 'sms_credits', amount: smsCredits, actor })
  return accountId
}

/** Makes the account and its people, who sign in with `passwordOfAll` and have no second factor. */
export async function makeTeam(db: Db, team: NewTeam): Promise<string> {
  const passwordHash = await hashPersonPassword(passwordOfAll)
  return inTransaction(db, async (tx) => {
    const { accountId } =
      team.account === undefined ? { accountId: await makeOffice(tx, team) } : await readAccount(tx, team.account)
    for (const role of roles) {
      await createMember(tx, { account: accountId, email: emailOf(role), role, passwordHash, actor })
    }
    return accountId
  })
}
