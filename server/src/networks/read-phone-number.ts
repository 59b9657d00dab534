/** A Ghanaian number without the characters between its digits: 0241234567, +233241234567, 2330241234567, 00233…. */
const shape = /^(?:(?:\+|00)?2330?|0)(\d{9})$/

/**
 * Reads a phone number in the usual forms: with spaces, dots and dashes, and with the 0 or the prefix in brackets, such as
 * 024 123 4567, +233 (0)24-123-4567 or (024) 123 4567.
 *
 * @returns 10 digits starting with 0; undefined when the text is no Ghanaian number
 */
export function readPhoneNumber(text: string): string | undefined {
  const [, digits] = shape.exec(text.replaceAll(/[\s.\-()\u2010-\u2015/]/g, '')) ?? []
  return digits === undefined ? undefined : `0${digits}`
}

/** The two forms in which orders hold a number: as it is dialled in Ghana, and with the country code. */
export function waysOfWriting(number: string): [string, string] {
  return [number, `233${number.slice(1)}`]
}
