/** Text without control characters that does not consist of blanks only. */
export const plainTextPattern = String.raw`^[ \xa0]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`

/** Text without control characters. */
export const printablePattern = String.raw`^[^\x00-\x1f\x7f-\x9f]*$`

/** A day from the year 1 on: neither the calendar nor the database knows a year 0. */
export const realYearPattern = '^([1-9]|0[1-9]|00[1-9]|000[1-9])'

/** A day or a moment of the years 2000 to 2099, after its format has been checked. */
export const ourCenturyPattern = '^20'

/** Printable ASCII without spaces at its ends. */
export const trimmedPrintablePattern = '^[!-~]([ -~]*[!-~])?$'

/** Each pattern in words, because people read words more easily: `recipient must be …`. */
export const patternsInWords: Readonly<Record<string, string>> = {
  '^0[0-9]{9}$': '10 digits starting with 0',
  '^0\\d{9}$': '10 digits starting with 0',
  '^(0|233)[0-9]{9}$': '10 digits starting with 0, or 233 and nine digits',
  '^233[0-9]{9}$': '233 and nine digits',
  '^233\\d{2}(\\d{7}|\\*{5}\\d{2})$': '233 and nine digits, five of them stars in a forgotten number',
  '^GHA-[0-9]{9}-[0-9]$': 'GHA-, nine digits, a hyphen and one digit',
  '^[a-zA-Z0-9._-]+$': 'letters, digits, dots, underscores and hyphens only',
  '^[0-9a-fA-F]{8}-': 'a UUID',
  '^[a-z0-9][a-z0-9-]{0,39}$': 'small letters, digits and hyphens only',
  [realYearPattern]: 'a date from the year 1 on, YYYY-MM-DD',
  [ourCenturyPattern]: 'in the years 2000 to 2099',
  [printablePattern]: 'text without control characters',
  [plainTextPattern]: 'text that is not blank and has no control characters',
  [trimmedPrintablePattern]: 'printable ASCII characters without spaces at its ends',
}

export const formatsInWords: Readonly<Record<string, string>> = {
  'date-time': 'a date and time, ISO 8601 in UTC, such as 2026-01-15T09:30:00Z',
  date: 'a date, YYYY-MM-DD',
  uuid: 'a UUID',
  email: 'an e-mail address',
}
