import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { isPriceChanged } from '../../both/money/use-reference.ts'

/** True when a refusal proves that the purchase placed no order, however often it was sent. */
const provesNothingBought = (error: ApiRefusal): boolean =>
  [400, 404, 409].includes(error.status) || ['feature_disabled', 'network_unavailable'].includes(error.reason)

/** True when a refusal proves that this sending placed no order. An earlier sending may have placed one. */
const didNothing = (error: ApiRefusal): boolean => [401, 403, 429].includes(error.status) || error.reason === 'overloaded'

type Kept<Body> = { readonly body: Body; readonly tries: number }

/** The state of the last purchase: its outcome is unknown, it was bought, or it was refused. */
type Stage<Body, Answer> = {
  readonly unknown?: Kept<Body>
  readonly bought?: Answer
  readonly refusal?: ApiRefusal
}

export type KeptPurchase<Body, Answer> = Omit<Stage<Body, Answer>, 'unknown'> & {
  /** The purchase whose outcome is not known. */
  readonly unknown: Body | undefined
  readonly isBusy: boolean
  /** @returns the refusal, if it proves that nothing was bought */
  readonly buy: (body: Body) => Promise<ApiRefusal | undefined>
  /** Sends the purchase of unknown outcome again. */
  readonly again: () => Promise<unknown>
  /** Goes back to the form. */
  readonly clear: () => void
}

/**
 * Keeps a purchase from before it is sent until its outcome is known, over a reload and a lost connection. Sending it again is
 * the same purchase, because its references are kept with it.
 *
 * @param form a name for the form; each keeps one purchase in this browser's tab
 * @param partToKeep the part of a purchase that the browser may store, with which it is sent again; by default all of it
 */
export function useKeptPurchase<Body, Answer>(
  form: string,
  send: (body: Body) => Promise<Answer>,
  partToKeep: (body: Body) => Body = (body) => body,
): KeptPurchase<Body, Answer> {
  const key = `makola.purchase.${form}`
  const queries = useQueryClient()
  const [stage, setStage] = useState<Stage<Body, Answer>>(() => {
    const text = sessionStorage.getItem(key)
    return text === null ? {} : { unknown: JSON.parse(text) as Kept<Body> }
  })
  const [isBusy, setBusy] = useState(false)
  const end = (outcome: Stage<Body, Answer>) => {
    sessionStorage.removeItem(key)
    setStage(outcome)
  }

  async function sendKept({ body, tries }: Kept<Body>): Promise<ApiRefusal | undefined> {
    const kept = { body: partToKeep(body), tries: tries + 1 }
    sessionStorage.setItem(key, JSON.stringify(kept))
    setBusy(true)
    try {
      end({ bought: await send(body) })
      return undefined
    } catch (error) {
      const isKnown = error instanceof ApiRefusal && (provesNothingBought(error) || (didNothing(error) && tries === 0))
      if (!isKnown) {
        setStage({ unknown: kept })
        return undefined
      }
      // The person is asked again at once, so the new price must be on the screen by then.
      if (isPriceChanged(error)) await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
      end({ refusal: error })
      return error
    } finally {
      setBusy(false)
      // Reads again what the screens show, because the wallet and the orders may have changed.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' && queryKey[0] !== 'check' })
    }
  }

  return {
    ...stage,
    unknown: stage.unknown?.body,
    isBusy,
    buy: (body) => sendKept({ body, tries: 0 }),
    again: () => (stage.unknown ? sendKept(stage.unknown) : Promise.resolve()),
    clear: () => setStage({}),
  }
}
