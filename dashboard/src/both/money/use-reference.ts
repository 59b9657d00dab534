import { useCallback, useState } from 'react'
import { ApiRefusal } from '../api/call-api.ts'

export const newReference = (): string => `web-${crypto.randomUUID()}`

/**
 * The reference under which a form is sent, such as a purchase. The page makes it and keeps it over a reload and a lost
 * connection, so that a form that is sent again takes effect only once. `renew` makes a new reference, once the outcome is
 * known.
 *
 * @param form a name for the form; each form has its own reference in this browser's tab
 */
export function useReference(form: string): { readonly reference: string; readonly renew: () => void } {
  const key = `makola.reference.${form}`
  const [reference, setReference] = useState(() => {
    const kept = sessionStorage.getItem(key)
    if (kept !== null) return kept
    const made = newReference()
    sessionStorage.setItem(key, made)
    return made
  })
  const renew = useCallback(() => {
    const made = newReference()
    sessionStorage.setItem(key, made)
    setReference(made)
  }, [key])
  return { reference, renew }
}

/** With these reasons a top-up has failed for good. Nobody can pay it any more, so the next try needs a new reference. */
const endedReasons = ['payment_not_opened', 'payer_not_asked']

/**
 * True when an error settles the outcome of a reference, so that the next try needs a new one. The server looks for the reference
 * before it answers 400 or 409. After any other error, such as `outcome_unknown`, an earlier try may have succeeded; with the
 * same reference, the next try finds it.
 */
export const isKnownOutcome = (error: unknown): boolean =>
  error instanceof ApiRefusal && (error.status === 400 || error.status === 409 || endedReasons.includes(error.reason))

/** True when a purchase was refused because its price differs from the one on the screen. Nothing was bought. */
export const isPriceChanged = (error: unknown): boolean => error instanceof ApiRefusal && error.reason === 'price_changed'

/**
 * Sends a form under its reference. After a lost answer, the next sending has the same reference and takes effect only once. When
 * the outcome is known, the next sending has a new one.
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
