import { useState } from 'react'

/**
 * A name for `useLiveRows` that changes with every act of the reader: what the reader has just done may move the rows,
 * because nobody wonders where they went.
 */
export function useActs(list: string): { readonly name: string; readonly onActed: () => void } {
  const [acts, setActs] = useState(0)
  return { name: `${acts} ${list}`, onActed: () => setActs((count) => count + 1) }
}
