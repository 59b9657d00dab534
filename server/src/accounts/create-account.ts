import { createWallets } from '../money/wallets.ts'
import type { Tx } from '../platform/database/database.ts'
import { onConstraint } from '../platform/database/database-errors.ts'
import { newId } from '../platform/database/new-id.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { AccountError, AccountValueError } from './account.ts'
import type { Role } from './caller.ts'
import { recordPolicyAcceptance } from './developer/accept-developer-policy.ts'
import { checkRoleExpiry } from './set-account-role.ts'

export type NewAccount = {
  /** Left out: a new id. */
  readonly accountId?: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Null: for life. */
  readonly roleExpiresAt: Date | null
  /** Approved for SMS. */
  readonly isBusiness: boolean
  /** True: the developer policy counts as accepted, as for an account that the operator makes. */
  readonly isPolicyAccepted: boolean
  readonly actor: string
}

/** The longest address that mail can carry (RFC 5321, section 4.5.3.1.3, without its brackets). */
const emailLengthMax = 254
const nameLengthMax = 100
// One @, a dot in the domain, no blank or invisible character. Only a mail can show whether the address exists.
const emailPattern = /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u

function checkEmail(email: string): void {
  if (email.length > emailLengthMax || !emailPattern.test(email)) {
    throw new AccountValueError(`${JSON.stringify(email)} is not an e-mail address.`)
  }
}

function checkName(name: string): void {
  const length = Array.from(name).length
  if (length === 0 || length > nameLengthMax || /\p{C}/u.test(name)) {
    throw new AccountValueError(`The name must have 1 to ${nameLengthMax} printable characters.`)
  }
}

/**
 * Creates an account and its three wallets together, so that no account lacks one.
 *
 * @throws AccountError when the e-mail, the name or the expiry is not acceptable, or the e-mail is taken
 */
export async function createAccount(tx: Tx, account: NewAccount): Promise<{ accountId: string }> {
  const email = account.email.trim()
  const name = account.name.trim()
  checkEmail(email)
  checkName(name)
  await checkRoleExpiry(tx, account.role, account.roleExpiresAt)
  const { accountId = newId() } = account
  await tx
    .insertInto('accounts')
    .values({
      id: accountId,
      email,
      name,
      role: account.role,
      role_expires_at: account.roleExpiresAt,
      is_business: account.isBusiness,
      policy_accepted_at: null,
    })
    .execute()
    .catch(
      onConstraint(
        'accounts_one_per_email',
        (cause) => new AccountError(`There already is an account with the e-mail ${email}.`, { cause }),
      ),
    )
  if (account.isPolicyAccepted) await recordPolicyAcceptance(tx, { accountId, personId: null, address: null })
  await createWallets(tx, accountId)
  await appendOperatorLog(tx, {
    actor: account.actor,
    action: 'account create',
    subject: accountId,
    details: {
      email,
      role: account.role,
      expires_at: account.roleExpiresAt?.toISOString() ?? null,
      is_business: account.isBusiness,
    },
  })
  return { accountId }
}
