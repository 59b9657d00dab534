import { sql } from 'kysely'
import type { PersonalRow, PersonalSource } from '../../platform/forgetting/personal-source.ts'

/** Look-ups of a meter or smartcard, with the name of its holder. */
export const lookUpsOfAccount: PersonalSource = {
  table: 'looked_up_accounts',
  title: 'Look-ups of the meter or smartcard',
  async find({ db }, { forms }) {
    const { rows } = await sql<PersonalRow>`
      select account_id || ' ' || biller as id, account_id, biller, account_number, account_name, looked_up_at
      from looked_up_accounts where account_number = any(${forms}::text[])`.execute(db)
    return rows
  },
  async erase(tx, rows, { forms }) {
    await sql`delete from looked_up_accounts where account_number = any(${forms}::text[])`.execute(tx)
    return rows.map(({ id }) => id)
  },
}
