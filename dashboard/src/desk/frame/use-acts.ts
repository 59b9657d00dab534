import { useState } from 'react'

/**
 * A name for `useLiveRows` that changes with each act of the reader, after which the rows may move, because the reader expects
 * that.
 */
export function useActs(list: string): { readonly name: string; readonly onActed: () => void } {
  const [acts, setActs] = useState(0)
  return { name: `${acts} ${list}`, onActed: () => setActs((count) => count + 1) }
}
