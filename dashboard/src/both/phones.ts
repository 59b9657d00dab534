/**
 * A Ghanaian number as the API writes it, `0XXXXXXXXX`. The text may have `+233`, `00233` or `233`, an additional 0, spaces,
 * dashes, dots or brackets, or no first 0. Of any other text only the digits and `+` stay.
 */
export function cleanPhone(text: string): string {
  const digits = text.replaceAll(/[^\d+]/g, '')
  const local = digits.replace(/^(\+|00)?2330?(?=\d{9}$)/, '0')
  return /^[235]\d{8}$/.test(local) ? `0${local}` : local
}

/** True when a text is a number as `cleanPhone` writes it: a 0 and nine more digits. */
export const isPhone = (text: string): boolean => /^0\d{9}$/.test(text)

/**
 * A phone, meter or smartcard number in the groups that people read aloud: `024 123 4567`, `G141 234 567`. Any other text stays as
 * it is.
 */
export function groupDigits(text: string): string {
  return /^[A-Z]?\d{7,}$/.test(text) ? text.replaceAll(/(\d{3})(?=\d{3})/g, '$1 ') : text
}
