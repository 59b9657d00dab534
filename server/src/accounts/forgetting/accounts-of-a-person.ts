import { sql } from 'kysely'
import { holds, type PersonalRow, type PersonalSource, scanTable } from '../../platform/forgetting/personal-source.ts'

const idsOf = (rows: readonly PersonalRow[]) => rows.map(({ id }) => id)

/** The columns of accounts and of their logged calls that may hold a person's number or e-mail address. */
export const accountsOfPerson: readonly PersonalSource[] = [
  {
    table: 'request_log',
    title: 'Calls of resellers’ programs',
    async find({ db }, person) {
      const keys = await db.selectFrom('api_keys').select('id').execute()
      const found: PersonalRow[] = []
      for (const { id: keyId } of keys) {
        const calls = await scanTable(db, {
          table: 'request_log',
          columns: sql`id, called_at, method, path, status, request, response`,
          within: sql`key_id = ${keyId}`,
          where: sql`${holds(sql`request::text`, person)} or ${holds(sql`response::text`, person)}`,
        })
        found.push(...calls)
      }
      return found
    },
    async erase(tx, rows) {
      await sql`
        delete from request_log using api_keys
        where request_log.key_id = api_keys.id and request_log.id = any(${idsOf(rows)}::uuid[])`.execute(tx)
      return idsOf(rows)
    },
  },
  {
    table: 'account_notice_settings',
    title: 'Resellers who get their notices at the number',
    async find({ db }, { forms }) {
      const { rows } = await sql<PersonalRow>`
        select account_id as id, email as account, phone from account_notice_settings join accounts on accounts.id = account_id
        where phone = any(${forms}::text[])`.execute(db)
      return rows
    },
    keptBecause: 'the reseller’s own number, which only the reseller takes away (Settings, Notices)',
  },
  {
    table: 'accounts',
    title: 'Accounts of the e-mail address',
    async find({ db }, { forms }) {
      const { rows } = await sql<PersonalRow>`
        select id, email, name, role, status, created_at from accounts where lower(email) = any(${forms}::text[])`.execute(db)
      return rows
    },
    keptBecause: 'an account with its books; suspend it with `makola account suspend`',
  },
]
