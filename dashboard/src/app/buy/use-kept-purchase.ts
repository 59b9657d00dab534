import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiRefusal, NoAnswer, post, type Schema } from '../../both/api/call-api.ts'
import { isPriceChanged } from '../../both/money/use-reference.ts'
import { type PurchaseInDoubt, type ShownPurchase, useKeptPurchases } from './kept-purchases.ts'

/** True when a refusal proves that the purchase placed no order, however often it was sent. */
const provesNothingBought = (error: ApiRefusal): boolean =>
  [400, 404, 409].includes(error.status) || ['feature_disabled', 'network_unavailable'].includes(error.reason)

/** True when a refusal proves that this sending placed no order. An earlier sending may have placed one. */
const didNothing = (error: ApiRefusal): boolean => [401, 403, 429].includes(error.status) || error.reason === 'overloaded'

export type BodyWithReferences = { readonly reference: string } | { readonly orders: readonly { readonly reference: string }[] }

const referencesOf = (body: BodyWithReferences): string[] =>
  'orders' in body ? body.orders.map(({ reference }) => reference) : [body.reference]

/** A server answers within ten seconds. A purchase that it does not know after this longer time will not be placed any more. */
export const surelyAnsweredMilliseconds = 60_000

export type FoundOrders = { readonly orders: Schema<'OrderStates'>['orders']; readonly missing: number }

/** Looks up what became of a purchase of which only the references are kept. @throws NoAnswer when it may still be placed */
async function findOrders({ references, sentAt }: PurchaseInDoubt): Promise<FoundOrders> {
  const { orders } = await post('/app/api/orders/states', { order_ids: [], references: [...references] })
  const missing = references.length - orders.length
  if (missing > 0 && Date.now() - sentAt < surelyAnsweredMilliseconds) throw new NoAnswer('unknown')
  return { orders, missing }
}

export type PartToKeep<Body> = (body: Body, shown: ShownPurchase) => { readonly body: Body; readonly shown: ShownPurchase }

/** The outcome of the last purchase: it was bought, it was refused, or nobody knows yet and `failure` says why. */
type Stage<Answer> = {
  readonly bought?: Answer
  /** Commission that the account gets when the purchase is delivered, in GHS. */
  readonly earns?: number
  readonly refusal?: ApiRefusal
  readonly found?: FoundOrders
  readonly failure?: unknown
}

export type PurchaseState<Body, Answer> = Stage<Answer> & {
  /** The purchase whose outcome is not known. */
  readonly unknown: PurchaseInDoubt<Body> | undefined
  readonly isBusy: boolean
  /** @returns the refusal, if it proves that nothing was bought */
  readonly buy: (body: Body, shown: ShownPurchase) => Promise<ApiRefusal | undefined>
  /** Sends the purchase of unknown outcome again. If only its references are kept, looks it up instead. */
  readonly again: () => Promise<unknown>
  /** Goes back to the form. */
  readonly clear: () => void
}

/**
 * Stores a purchase before it is sent, until its outcome is known. So it survives a reload, a lost connection and a restart. It
 * can be sent again without buying twice, because its references are stored with it.
 *
 * @param product each product keeps one purchase of the account in this browser
 * @param partToKeep the part of a purchase that the browser may store, with which it is sent again; by default all of it
 */
export function useKeptPurchase<Body extends BodyWithReferences, Answer>(
  product: string,
  send: (body: Body) => Promise<Answer>,
  partToKeep: PartToKeep<Body> = (body, shown) => ({ body, shown }),
): PurchaseState<Body, Answer> {
  const queries = useQueryClient()
  const { all, keep, forget } = useKeptPurchases()
  const kept = all.find((each) => each.product === product) as PurchaseInDoubt<Body> | undefined
  const [stage, setStage] = useState<Stage<Answer>>({})
  const [sending, setSending] = useState<'first' | 'again'>()
  const end = (outcome: Stage<Answer>) => {
    forget(product)
    setStage(outcome)
  }

  async function sendKept(body: Body, shown: ShownPurchase, tries: number): Promise<ApiRefusal | undefined> {
    keep({ product, ...partToKeep(body, shown), references: referencesOf(body), sentAt: Date.now(), tries: tries + 1 })
    setSending(tries === 0 ? 'first' : 'again')
    try {
      end({ bought: await send(body), earns: shown.earns })
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
      // The check of the form's lines is only marked as outdated. It is made again when the form is shown again.
      void queries.invalidateQueries({ queryKey: ['check'], refetchType: 'none' })
    }
  }

  async function lookUp(lost: PurchaseInDoubt): Promise<void> {
    setSending('again')
    await findOrders(lost)
      .then((found) => end({ found }))
      .catch((failure: unknown) => setStage({ failure }))
    setSending(undefined)
  }

  return {
    ...stage,
    unknown: sending === 'first' ? undefined : kept,
    isBusy: sending !== undefined,
    buy: (body, shown) => sendKept(body, shown, 0),
    again: async () => {
      if (kept?.body) await sendKept(kept.body, kept.shown, kept.tries)
      else if (kept) await lookUp(kept)
    },
    clear: () => setStage({}),
  }
}
