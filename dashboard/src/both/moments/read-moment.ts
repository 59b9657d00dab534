/**
 * Reads the text of a browser's field for day and time as Ghana's time, UTC all year, because the text names no time zone. An
 * empty field gives no moment.
 */
export const readMoment = (text: string): string | undefined => (text === '' ? undefined : new Date(`${text}Z`).toISOString())
