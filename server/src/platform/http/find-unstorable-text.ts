function problemOf(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character'
  return text.isWellFormed() ? undefined : 'half of a surrogate pair'
}

/**
 * Searches a parsed value and its keys for text that PostgreSQL cannot store or would store changed, and for numbers that
 * are not finite. The function does not call itself, so deep values cost memory but cannot overflow the stack.
 * @returns the fault as a part of a sentence
 */
export function findUnstorableText(root: unknown): string | undefined {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      const problem = problemOf(value)
      if (problem) return problem
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return 'a number that is not finite'
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) waiting.push(key, entry)
    }
  }
  return undefined
}
