/** Characters that JSON escapes in another way than PostgreSQL reads them, or that JSON does not keep. */
const needsCare = /[\p{Cc}\p{Cs}]/u

/** In an array, PostgreSQL reads a backslash before a quote or a backslash, as JSON does. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return needsCare.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : JSON.stringify(text)
}

/** True when PostgreSQL reads the year in the form of `toISOString`. */
function isPlainYear(time: Date): boolean {
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9_999
}

/**
 * A list in the form that PostgreSQL reads as an array (PostgreSQL, "Array Input and Output Syntax"). The driver writes the
 * same, and takes twice as long; a statement of the worker has twenty lists of some hundred values. A list with other
 * values than texts, numbers, booleans, times and nulls is left to the driver.
 */
export function arrayText(values: readonly unknown[]): string | readonly unknown[] {
  const parts: string[] = []
  for (const value of values) {
    if (value === null || value === undefined) parts.push('NULL')
    else if (typeof value === 'string') parts.push(quoted(value))
    else if (typeof value === 'number' || typeof value === 'boolean') parts.push(String(value))
    else if (value instanceof Date && isPlainYear(value)) parts.push(value.toISOString())
    else return values
  }
  return `{${parts.join(',')}}`
}
