/** Longer than names are; the rest is cut. */
const nameCharactersMax = 100

/**
 * A person's name as a supplier reports it, in one line of at most 100 characters. Anybody may have written it and a
 * reseller sees it, so invisible characters and those that change the direction of writing are removed, control
 * characters become blanks, and what PostgreSQL cannot store is replaced.
 * @returns undefined when there is no name: no text, an empty one, or one without a letter
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
