import { sql } from 'kysely'
import type { Finder } from '../../../platform/finding/finder.ts'
import type { PersonalRow, PersonalSource } from '../../../platform/forgetting/personal-source.ts'
import { showMoment } from '../../../platform/texts-for-people.ts'

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

const words = { registered: 'registered', pending: 'being registered', not_registered: 'not registered' }

/** Finds the stored answers of registration servers about an MTN number. */
export const registrationFinder: Finder = {
  finds: 'number registrations',
  async find({ db }, { phoneNumber }) {
    if (phoneNumber === undefined) return []
    const rows = await db
      .selectFrom('registrations')
      .select(['number', 'server', 'state', 'checked_at'])
      .where('number', '=', phoneNumber)
      .orderBy('server')
      .execute()
    return rows.map(({ number, server, state, checked_at: checkedAt }) => ({
      type: 'number registration',
      id: `${number}/${server}`,
      text: `${number} is ${words[state]} with MTN, as registration server ${server} said at ${showMoment(checkedAt)}.`,
      next: `makola order list --recipient ${number} --network MTN`,
      path: `/orders?recipient=${number}`,
    }))
  },
}
