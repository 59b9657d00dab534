import { useCallback, useState } from 'react'
import { ApiRefusal } from '../api/call-api.ts'

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

/** Whether an error says that nothing was done: the server looked for the reference before it refused. */
export const isKnownOutcome = (error: unknown): boolean =>
  error instanceof ApiRefusal && (error.status === 400 || error.status === 409)

/**
 * Sends what a form is about under its reference. Sent again after a lost answer it is the same; once the outcome is known,
 * the next one is another.
 */
export function useSentOnce(form: string): <T>(send: (reference: string) => Promise<T>) => Promise<T> {
  const { reference, renew } = useReference(form)
  return async (send) => {
    try {
      const answer = await send(reference)
      renew()
      return answer
    } catch (error) {
      if (isKnownOutcome(error)) renew()
      throw error
    }
  }
}
