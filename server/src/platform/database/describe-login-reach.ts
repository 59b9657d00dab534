import { sql } from 'kysely'
import { historyTables } from './check-application-role.ts'
import type { Db } from './database.ts'

/**
 * Describes how the login behind the application role could still change history by leaving that role. Undefined when it
 * could not. A single login that owns the tables works too, but an intruder in a process can then switch off the protection
 * of the ledger.
 */
export async function describeLoginReach(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ login: string; reach: string }>`
    select session_user as login, reach from (
      select 1 as no, 'is an administrator of the server' as reach where
        (select rolsuper from pg_roles where rolname = session_user)
      union all
      select 2, 'owns the tables, or may work as their owner' where exists (
        select from pg_class where oid = any(${[...historyTables]}::regclass[]) and pg_has_role(session_user, relowner, 'member'))
      union all
      select 3, 'may change history' where exists (
        select from unnest(${[...historyTables]}::regclass[]) as name
        where has_any_column_privilege(session_user, name, 'update')
          or has_table_privilege(session_user, name, 'delete, truncate, trigger'))
      union all
      select 4, 'may make roles' where (select rolcreaterole from pg_roles where rolname = session_user)
      union all
      select 5, 'may switch triggers off' where has_parameter_privilege(session_user, 'session_replication_role', 'set')
    ) as found order by no limit 1`.execute(db)
  const [found] = rows
  if (!found) return undefined
  return (
    `The login ${found.login} ${found.reach}, so a process that was taken over could change history. ` +
    'Give processes a login of their own in DATABASE_URL, and the owner’s to `makola migrate` in MIGRATE_DATABASE_URL.'
  )
}
