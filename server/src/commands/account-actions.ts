import type { Account } from '../accounts/account.ts'
import type { Role } from '../accounts/caller.ts'
import { createAccount } from '../accounts/create-account.ts'
import { listAccounts, readAccount } from '../accounts/find-account.ts'
import { setAccountRole } from '../accounts/set-account-role.ts'
import { setAccountStatus } from '../accounts/set-account-status.ts'
import { setBusinessApproval } from '../accounts/set-business-approval.ts'
import { readConfig } from '../config.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { CommandError } from './command-error.ts'
import { operatorName } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { readMoment } from './read-moment.ts'
import { withDatabase } from './with-database.ts'

export type NewAccountOptions = { email: string; name: string; role: string; expiresAt?: string; business?: true }
export type RoleOptions = { account: string; role: string; expiresAt?: string }

const roles: readonly Role[] = ['customer', 'agent', 'dealer']

function readRole(text: string): Role {
  const role = roles.find((known) => known === text)
  if (role) return role
  throw new CommandError(`--role must be one of ${roles.join(', ')}, not ${JSON.stringify(text)}.`)
}

const readExpiry = (text: string | undefined) => (text === undefined ? null : readMoment(text, '--expires-at'))

/** An account as JSON shows it. */
function viewAccount(account: Account) {
  return {
    account_id: account.accountId,
    email: account.email,
    name: account.name,
    role: account.role,
    expires_at: account.roleExpiresAt?.toISOString() ?? null,
    status: account.status,
    is_business: account.isBusiness,
    policy_accepted_at: account.policyAcceptedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
  }
}

/** An account in one line for people. */
function describeAccount(account: Account): string {
  const until = account.roleExpiresAt ? ` until ${account.roleExpiresAt.toISOString()}` : ''
  const business = account.isBusiness ? ', business' : ''
  return `${account.accountId}  ${account.email}  ${account.name}  ${account.role}${until}, ${account.status}${business}`
}

function printChange(account: Account): void {
  printResult({ account_id: account.accountId, role: account.role, status: account.status }, describeAccount(account))
}

/** `makola account create`. */
export async function runAccountCreate(options: NewAccountOptions): Promise<void> {
  const role = readRole(options.role)
  const roleExpiresAt = readExpiry(options.expiresAt)
  const { accountId } = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) =>
      createAccount(tx, {
        email: options.email,
        name: options.name,
        role,
        roleExpiresAt,
        isBusiness: options.business ?? false,
        isPolicyAccepted: true,
        actor: operatorName(),
      }),
    ),
  )
  printResult({ account_id: accountId }, `Account ${accountId} was created. Give it a key with \`makola key create\`.`)
}

/** `makola account set-role`. */
export async function runAccountSetRole(options: RoleOptions): Promise<void> {
  const role = readRole(options.role)
  const roleExpiresAt = readExpiry(options.expiresAt)
  const account = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, options.account)
      return setAccountRole(tx, { accountId, role, roleExpiresAt, actor: operatorName() })
    }),
  )
  printChange(account)
}

/** `makola account suspend` and `makola account reactivate`. */
export async function runAccountSetStatus(idOrEmail: string, status: Account['status']): Promise<void> {
  const account = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, idOrEmail)
      return setAccountStatus(tx, { accountId, status, actor: operatorName() })
    }),
  )
  printChange(account)
}

/** `makola account approve-business` and `makola account withdraw-business`. */
export async function runAccountSetBusiness(idOrEmail: string, isBusiness: boolean): Promise<void> {
  const account = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, idOrEmail)
      return setBusinessApproval(tx, { accountId, isBusiness, actor: operatorName() })
    }),
  )
  printResult(viewAccount(account), describeAccount(account))
}

/** `makola account show`. */
export async function runAccountShow(idOrEmail: string): Promise<void> {
  const account = await withDatabase(readConfig(), (db) => readAccount(db, idOrEmail))
  printResult(viewAccount(account), describeAccount(account))
}

/** `makola account list`. */
export async function runAccountList(): Promise<void> {
  const accounts = await withDatabase(readConfig(), listAccounts)
  printResult(accounts.map(viewAccount), accounts.map(describeAccount).join('\n') || 'There are no accounts yet.')
}
