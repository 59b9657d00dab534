export const statusMeanings = ['accepted', 'delivered', 'failed'] as const
export type StatusMeaning = (typeof statusMeanings)[number]

export const errorMeanings = [
  'rejected_recipient',
  'rejected_request',
  'float',
  'auth',
  'disabled',
  'not_registered',
  'duplicate_exists',
  'throttled',
  'never_received',
  'unknown',
] as const
export type ErrorMeaning = (typeof errorMeanings)[number]

/**
 * Adds the operator's words to an adapter's. The operator's words take precedence.
 * @throws Error when a word has no valid meaning
 */
export function mergeVocabulary<M extends string>(
  known: Readonly<Record<string, M>>,
  added: Record<string, string> | undefined,
  allowed: readonly M[],
  normalise: (word: string) => string,
): ReadonlyMap<string, M> {
  const words = new Map<string, M>(Object.entries(known))
  for (const [word, meaning] of Object.entries(added ?? {})) {
    const found = allowed.find((each) => each === meaning)
    if (found === undefined) throw new Error(`"${word}" cannot mean "${meaning}"; it must be one of ${allowed.join(', ')}`)
    words.set(normalise(word), found)
  }
  return words
}
