import { sql } from 'kysely'
import type { Finder } from '../platform/finding/finder.ts'
import type { PersonalRow, PersonalSource } from '../platform/forgetting/personal-source.ts'

/** Finds a person's number in our list of ported numbers. */
export const numbersOfPerson: readonly PersonalSource[] = [
  {
    table: 'ported_numbers',
    title: 'The list of ported numbers',
    async find({ db }, { forms }) {
      const { rows } = await sql<PersonalRow>`
        select number as id, number, network, recorded_at from ported_numbers where number = any(${forms}::text[])`.execute(db)
      return rows
    },
    keptBecause: 'orders to the number are sent to its network by it; `makola ported remove` takes it away',
  },
]

export const portedNumberFinder: Finder = {
  finds: 'ported numbers',
  async find({ db }, { phoneNumber }) {
    if (phoneNumber === undefined) return []
    const rows = await db.selectFrom('ported_numbers').select(['number', 'network']).where('number', '=', phoneNumber).execute()
    return rows.map(({ number, network }) => ({
      type: 'ported number',
      id: number,
      text: `${number} is in the list of ported numbers, as one of ${network}.`,
      next: `makola ported list`,
      path: '/numbers',
    }))
  },
}
