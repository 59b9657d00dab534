import { sql } from 'kysely'
import type { PersonalRow, PersonalSource } from '../../../platform/forgetting/personal-source.ts'

export const registrationsOfNumber: PersonalSource = {
  table: 'registrations',
  title: 'Answers of MTN’s registration servers',
  async find({ db }, { forms }) {
    const { rows } = await sql<PersonalRow>`
      select number || ' ' || server as id, number, server, state, checked_at from registrations
      where number = any(${forms}::text[])`.execute(db)
    return rows
  },
  async erase(tx, rows, { forms }) {
    await sql`delete from registrations where number = any(${forms}::text[])`.execute(tx)
    return rows.map(({ id }) => id)
  },
}
