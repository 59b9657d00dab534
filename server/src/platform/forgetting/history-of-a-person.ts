import { sql } from 'kysely'
import { holds, type PersonalSource, scanTable } from './personal-source.ts'

/** The tables of people's actions in which a person's number may occur. */
export const historyOfPerson: readonly PersonalSource[] = [
  {
    table: 'approvals',
    title: 'Proposals to two people',
    find: ({ db }, person) =>
      scanTable(db, {
        table: 'approvals',
        columns: sql`id, kind, subject, request, reason, decision_note, state, created_at`,
        where: sql`${holds(sql`subject`, person)} or ${holds(sql`request::text`, person)} or ${holds(sql`reason`, person)}
          or ${holds(sql`coalesce(decision_note, '')`, person)}`,
      }),
    keptBecause: 'it proves who agreed to what',
  },
  {
    table: 'operator_log',
    title: 'Lines of the operator’s log',
    find: ({ db }, person) =>
      scanTable(db, {
        table: 'operator_log',
        columns: sql`id::text as id, at, actor, action, subject, details`,
        where: sql`${holds(sql`subject`, person)} or ${holds(sql`details::text`, person)}`,
        idType: 'bigint',
      }),
    keptBecause: 'it proves who did what, and is sealed in a chain that any change would break',
  },
]
