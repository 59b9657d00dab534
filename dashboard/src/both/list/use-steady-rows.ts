import { useEffect, useState } from 'react'

export type SteadyRows<T> = {
  /** The rows in the order in which the reader first saw them, each with its newest known values. */
  readonly shown: readonly T[]
  /** The number of new rows that wait. They belong above or between the rows that are shown. */
  readonly newCount: number
  /** Shows the present rows in their present order. */
  readonly showNew: () => void
}

type Kept<T> = {
  readonly list: string
  readonly keys: readonly string[]
  /** The newest known values of the rows. An effect writes them, because a state that is set for each answer would draw twice. */
  readonly rows: Map<string, T>
}

function keep<T>(list: string, rows: readonly T[], keyOf: (row: T) => string): Kept<T> {
  return { list, keys: rows.map(keyOf), rows: new Map(rows.map((row) => [keyOf(row), row])) }
}

/** The keys after the last shown row: the next page. They may be shown at once, because they move no row. */
function keysBehind(keys: readonly string[], kept: readonly string[]): readonly string[] {
  const known = new Set(kept)
  const last = keys.findLastIndex((key) => known.has(key))
  return last === -1 ? [] : keys.slice(last + 1)
}

/**
 * Keeps the rows of a list in their places when newer answers come. A changed row shows its new values. A row that the answer no
 * longer has keeps its last values. New rows above the last one are only counted until the reader presses "Show new".
 *
 * @param list a name for the list with its filters; when the name changes, the list begins anew
 */
export function useSteadyRows<T>(list: string, rows: readonly T[], keyOf: (row: T) => string): SteadyRows<T> {
  const [kept, setKept] = useState<Kept<T>>(() => keep(list, rows, keyOf))
  const isOther = kept.list !== list || kept.keys.length === 0
  const now = keep(list, rows, keyOf)
  const known = isOther ? now : kept
  const keys = [...known.keys, ...keysBehind(now.keys, known.keys)]
  const shown = keys.map((key) => now.rows.get(key) ?? known.rows.get(key)).filter((row) => row !== undefined)
  if (isOther ? rows.length > 0 || kept.list !== list : keys.length > kept.keys.length) {
    setKept({ list, keys, rows: new Map(shown.map((row) => [keyOf(row), row])) })
  }
  useEffect(() => {
    for (const row of rows) kept.rows.set(keyOf(row), row)
  })
  const isShown = new Set(keys)
  return { shown, newCount: now.keys.filter((key) => !isShown.has(key)).length, showNew: () => setKept(now) }
}
