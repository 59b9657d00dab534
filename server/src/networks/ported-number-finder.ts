import type { Finder } from '../platform/finding/finder.ts'

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
