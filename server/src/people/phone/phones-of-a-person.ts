import { sql } from 'kysely'
import type { PersonalRow, PersonalSource } from '../../platform/forgetting/personal-source.ts'

export const phonesOfPerson: PersonalSource = {
  table: 'person_phones',
  title: 'Persons who sign in and have the number for a new password',
  async find({ db }, { forms }) {
    const { rows } = await sql<PersonalRow>`
      select person_id as id, persons.email, phone, asked_phone, confirmed_at
      from person_phones join persons on persons.id = person_id
      where phone = any(${forms}::text[]) or asked_phone = any(${forms}::text[])`.execute(db)
    return rows
  },
  keptBecause: 'the person’s own number, which only the person takes away (Profile, Phone number)',
}
