const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' })

/** A moment in a message for people: `21 Nov 2026, 09:14 GMT`. Ghana is on Greenwich time all year. */
export const showMoment = (moment: Date): string => `${format.format(moment)} GMT`
