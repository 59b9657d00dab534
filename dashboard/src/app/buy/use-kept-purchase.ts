import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { isPriceChanged } from '../../both/money/use-reference.ts'

/** Whether a refusal proves that no order has a reference of this purchase, however often it was sent before. */
const provesNothingBought = (error: ApiRefusal): boolean =>
  [400, 404, 409].includes(error.status) || ['feature_disabled', 'network_unavailable'].includes(error.reason)

/** Whether a refusal proves that this sending placed no order. An earlier sending may have placed one. */
const didNothing = (error: ApiRefusal): boolean => [401, 403, 429].includes(error.status) || error.reason === 'overloaded'

type Kept<Body> = { readonly body: Body; readonly tries: number }

/** The server's answer, or its refusal. Undefined: the outcome is not known, and the purchase is kept to be sent again. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: ApiRefusal } | undefined

/**
 * Keeps a purchase from before it is sent until its outcome is known, over a reload and a lost connection. Sending it again is
 * the same purchase, because its references are kept with it.
 *
 * @param form a name for the form; each keeps one purchase in this browser's tab
 */
export function useKeptPurchase<Body, Answer>(form: string, send: (body: Body) => Promise<Answer>) {
  const key = `makola.purchase.${form}`
  const queries = useQueryClient()
  const [kept, setKept] = useState<Kept<Body> | undefined>(() => {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as Kept<Body>)
  })
  const [isUnknown, setUnknown] = useState(kept !== undefined)
  const [isBusy, setBusy] = useState(false)
  const keep = (purchase: Kept<Body> | undefined) => {
    if (purchase) sessionStorage.setItem(key, JSON.stringify(purchase))
    else sessionStorage.removeItem(key)
    setKept(purchase)
  }

  async function sendKept(purchase: Kept<Body>): Promise<Outcome<Answer>> {
    const { body, tries } = purchase
    setBusy(true)
    keep({ body, tries: tries + 1 })
    try {
      const answer = await send(body)
      keep(undefined)
      setUnknown(false)
      return { answer }
    } catch (error) {
      const isKnown = error instanceof ApiRefusal && (provesNothingBought(error) || (didNothing(error) && tries === 0))
      setUnknown(!isKnown)
      if (!isKnown) return undefined
      keep(undefined)
      // The person is asked again at once, so the new price must be on the screen by then.
      if (isPriceChanged(error)) await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
      return { refusal: error }
    } finally {
      setBusy(false)
      // The wallet and the orders may have changed.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' && queryKey[0] !== 'check' })
    }
  }

  return {
    /** The purchase whose outcome is not known. */
    kept: isUnknown ? kept?.body : undefined,
    isBusy,
    buy: (body: Body) => sendKept({ body, tries: 0 }),
    again: () => (kept ? sendKept(kept) : Promise.resolve(undefined)),
  }
}
