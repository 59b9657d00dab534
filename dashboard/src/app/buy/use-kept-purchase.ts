import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { isPriceChanged } from '../../both/money/use-reference.ts'
import { type Kept, type ShownPurchase, useKeptPurchases } from './kept-purchases.ts'

/** True when a refusal proves that the purchase placed no order, however often it was sent. */
const provesNothingBought = (error: ApiRefusal): boolean =>
  [400, 404, 409].includes(error.status) || ['feature_disabled', 'network_unavailable'].includes(error.reason)

/** True when a refusal proves that this sending placed no order. An earlier sending may have placed one. */
const didNothing = (error: ApiRefusal): boolean => [401, 403, 429].includes(error.status) || error.reason === 'overloaded'

export type PartToKeep<Body> = (body: Body, shown: ShownPurchase) => { readonly body: Body; readonly shown: ShownPurchase }

/** The outcome of the last purchase: it was bought, it was refused, or nobody knows yet and `failure` says why. */
type Stage<Answer> = { readonly bought?: Answer; readonly refusal?: ApiRefusal; readonly failure?: unknown }

export type KeptPurchase<Body, Answer> = Stage<Answer> & {
  /** The purchase whose outcome is not known. */
  readonly unknown: Kept<Body> | undefined
  readonly isBusy: boolean
  /** @returns the refusal, if it proves that nothing was bought */
  readonly buy: (body: Body, shown: ShownPurchase) => Promise<ApiRefusal | undefined>
  /** Sends the purchase of unknown outcome again. */
  readonly again: () => Promise<unknown>
  /** Goes back to the form. */
  readonly clear: () => void
}

/**
 * Keeps a purchase from before it is sent until its outcome is known, over a reload, a lost connection and a restart. Sending it
 * again is the same purchase, because its references are kept with it.
 *
 * @param product each product keeps one purchase of the account in this browser
 * @param partToKeep the part of a purchase that the browser may store, with which it is sent again; by default all of it
 */
export function useKeptPurchase<Body, Answer>(
  product: string,
  send: (body: Body) => Promise<Answer>,
  partToKeep: PartToKeep<Body> = (body, shown) => ({ body, shown }),
): KeptPurchase<Body, Answer> {
  const queries = useQueryClient()
  const { all, keep, forget } = useKeptPurchases()
  const kept = all.find((each) => each.product === product) as Kept<Body> | undefined
  const [stage, setStage] = useState<Stage<Answer>>({})
  const [sending, setSending] = useState<'first' | 'again'>()
  const end = (outcome: Stage<Answer>) => {
    forget(product)
    setStage(outcome)
  }

  async function sendKept(body: Body, shown: ShownPurchase, tries: number): Promise<ApiRefusal | undefined> {
    keep({ product, ...partToKeep(body, shown), tries: tries + 1 })
    setSending(tries === 0 ? 'first' : 'again')
    try {
      end({ bought: await send(body) })
      return undefined
    } catch (error) {
      const isKnown = error instanceof ApiRefusal && (provesNothingBought(error) || (didNothing(error) && tries === 0))
      if (!isKnown) {
        setStage({ failure: error })
        return undefined
      }
      // The person is asked again at once, so the new price must be on the screen by then.
      if (isPriceChanged(error)) await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
      end({ refusal: error })
      return error
    } finally {
      setSending(undefined)
      // Reads again what the screens show, because the wallet and the orders may have changed.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' && queryKey[0] !== 'check' })
    }
  }

  return {
    ...stage,
    unknown: sending === 'first' ? undefined : kept,
    isBusy: sending !== undefined,
    buy: (body, shown) => sendKept(body, shown, 0),
    again: () => (kept ? sendKept(kept.body, kept.shown, kept.tries) : Promise.resolve()),
    clear: () => setStage({}),
  }
}
