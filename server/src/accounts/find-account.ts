import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/read-id.ts'
import { type Account, AccountError } from './account.ts'

function selectAccounts(db: Db | Tx) {
  return db
    .selectFrom('accounts')
    .select([
      'id as accountId',
      'email',
      'name',
      'role',
      'role_expires_at as roleExpiresAt',
      'status',
      'is_business as isBusiness',
      'policy_accepted_at as policyAcceptedAt',
      'created_at as createdAt',
    ])
}

/** Finds an account by its id or its e-mail, ignoring capitals. */
export async function findAccount(db: Db | Tx, idOrEmail: string): Promise<Account | undefined> {
  const text = idOrEmail.trim()
  const accounts = selectAccounts(db)
  const matching = isId(text) ? accounts.where('id', '=', text) : accounts.where(sql`lower(email)`, '=', text.toLowerCase())
  return matching.executeTakeFirst()
}

/** @throws AccountError when there is no such account */
export async function readAccount(db: Db | Tx, idOrEmail: string): Promise<Account> {
  const account = await findAccount(db, idOrEmail)
  if (!account) throw new AccountError(`There is no account ${idOrEmail.trim()}.`)
  return account
}

export async function listAccounts(db: Db): Promise<Account[]> {
  return selectAccounts(db).orderBy('id').execute()
}
