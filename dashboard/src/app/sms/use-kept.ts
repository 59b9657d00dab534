import { useEffect, useState } from 'react'

/** A state that is kept in this tab over a reload, so that what was typed is still there after a lost connection. */
export function useKept<T>(name: string, initial: T): readonly [T, (value: T) => void] {
  const key = `makola.kept.${name}`
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(key)
    return kept === null ? initial : (JSON.parse(kept) as T)
  })
  useEffect(() => {
    sessionStorage.setItem(key, JSON.stringify(value))
  }, [key, value])
  return [value, setValue]
}
