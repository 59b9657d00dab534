/**
 * Reads the text of a browser's field for a moment, which names no time zone, as Ghana's time: UTC all year. An empty field
 * gives no moment.
 */
export const readMoment = (text: string): string | undefined => (text === '' ? undefined : new Date(`${text}Z`).toISOString())
