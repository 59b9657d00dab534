import type { Finder } from '../../../platform/finding/finder.ts'
import { showMoment } from '../../../platform/show-moment.ts'

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
