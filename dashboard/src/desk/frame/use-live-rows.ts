import { useState } from 'react'

export type LiveRows<T> = {
  /** The rows in the order in which the reader first saw them, each as it is now. */
  readonly shown: readonly T[]
  /** How many rows have come since that stand above or between those that are shown. */
  readonly newCount: number
  /** Shows the rows as they are now. */
  readonly showNew: () => void
}

type Kept<T> = { readonly list: string; readonly keys: readonly string[]; readonly rows: ReadonlyMap<string, T> }

function keep<T>(list: string, rows: readonly T[], keyOf: (row: T) => string): Kept<T> {
  return { list, keys: rows.map(keyOf), rows: new Map(rows.map((row) => [keyOf(row), row])) }
}

/** The keys behind the last one that was shown: the next page, which may appear at once because it moves nothing. */
function keysBehind(keys: readonly string[], kept: readonly string[]): readonly string[] {
  const known = new Set(kept)
  const last = keys.findLastIndex((key) => known.has(key))
  return last === -1 ? [] : keys.slice(last + 1)
}

/**
 * Holds the rows of a list still under the eyes of whoever reads it. A row that changes is shown as it is now, a row
 * that has left the list stays as it was last, and new ones wait until they are asked for.
 *
 * @param list a name for what is listed, with its filters; another name begins anew
 */
export function useLiveRows<T>(list: string, rows: readonly T[], keyOf: (row: T) => string): LiveRows<T> {
  const [kept, setKept] = useState<Kept<T>>(() => keep(list, rows, keyOf))
  const isOther = kept.list !== list || kept.keys.length === 0
  const now = keep(list, rows, keyOf)
  const known = isOther ? now : kept
  const keys = [...known.keys, ...keysBehind(now.keys, known.keys)]
  const shown = keys.map((key) => now.rows.get(key) ?? known.rows.get(key)).filter((row) => row !== undefined)
  if (isOther ? rows.length > 0 || kept.list !== list : keys.length > kept.keys.length) {
    setKept({ list, keys, rows: new Map(shown.map((row) => [keyOf(row), row])) })
  }
  const isShown = new Set(keys)
  return { shown, newCount: now.keys.filter((key) => !isShown.has(key)).length, showNew: () => setKept(now) }
}
