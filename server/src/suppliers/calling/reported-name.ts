/** Longer than real names; the rest is cut. */
const nameCharactersMax = 100

/**
 * A person's name from a supplier, in one line of at most 100 characters. Anybody may have written it and a reseller sees
 * it: invisible characters and those that change the direction of writing are removed, control characters become blanks, and
 * characters that PostgreSQL cannot store are replaced.
 * @returns undefined when it is no text, is empty or has no letter
 */
export function reportedName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value
    .toWellFormed()
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
  const name = Array.from(line).slice(0, nameCharactersMax).join('').trim()
  return /\p{L}/u.test(name) ? name : undefined
}
