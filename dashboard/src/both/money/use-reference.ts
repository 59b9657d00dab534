import { useCallback, useState } from 'react'

const freshReference = (): string => `web-${crypto.randomUUID()}`

/**
 * The reference of the one purchase that a form is about. It is made by the page and kept over a reload and a lost
 * connection, so that sending again is the same order. `renew` is called once the outcome is known.
 *
 * @param form a name for the form; each keeps a reference of its own in this browser's tab
 */
export function useReference(form: string): { readonly reference: string; readonly renew: () => void } {
  const key = `makola.reference.${form}`
  const [reference, setReference] = useState(() => {
    const kept = sessionStorage.getItem(key)
    if (kept !== null) return kept
    const made = freshReference()
    sessionStorage.setItem(key, made)
    return made
  })
  const renew = useCallback(() => {
    const made = freshReference()
    sessionStorage.setItem(key, made)
    setReference(made)
  }, [key])
  return { reference, renew }
}
