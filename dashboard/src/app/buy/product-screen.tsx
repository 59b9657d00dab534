import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { useDeleteSavedFields } from '../use-saved-fields.ts'
import { buyWords } from '../words/buy.ts'
import type { ResultProps } from './bought.tsx'
import { BuyPage, type Product } from './buy-page.tsx'
import { UnknownPurchase } from './unknown-purchase.tsx'
import { type BodyWithReferences, type PartToKeep, type PurchaseState, useKeptPurchase } from './use-kept-purchase.ts'

/** Loaded only after a purchase was looked up, which is rare. */
const FoundResult = lazy(() => import('./found-result.tsx'))

/** The fields that stay for the next purchase. The others, such as the recipient, get their first values again. */
const whatIsBought = ['network', 'volume', 'amount', 'biller', 'typeId']

type Props<Shop, Body, Answer> = {
  readonly product: Product
  readonly read: (signal: AbortSignal) => Promise<Shop>
  /** Buys. @throws ApiRefusal when the server refuses, NoAnswer when it may have been bought */
  readonly send: (body: Body) => Promise<Answer>
  /** The part of a purchase that the browser may store; by default all of it. */
  readonly partToKeep?: PartToKeep<Body>
  readonly result: (bought: Answer, shown: ResultProps, shop: Shop) => ReactNode
  /** Draws the form. */
  readonly children: (shop: Shop, purchase: PurchaseState<Body, Answer>) => ReactNode
}

/**
 * The screen of a product: its form, its result, and what to do while the outcome of a purchase is not known. While the product
 * is switched off, a message.
 */
export function ProductScreen<
  Shop extends { readonly balance: number; readonly is_on?: boolean },
  Body extends BodyWithReferences,
  Answer extends { readonly balance: number | undefined },
>({ product, read, send, partToKeep, result, children }: Props<Shop, Body, Answer>) {
  const queries = useQueryClient()
  const shopKey = ['shop', product]
  const query = useQuery({ queryKey: shopKey, queryFn: ({ signal }) => read(signal) })
  const forgetKept = useDeleteSavedFields()
  const sendAndForget = async (body: Body) => {
    const answer = await send(body)
    forgetKept(`buy.${product}`, whatIsBought)
    const { balance } = answer
    if (balance !== undefined) queries.setQueryData<Shop>(shopKey, (known) => known && { ...known, balance })
    return answer
  }
  const purchase = useKeptPurchase(product, sendAndForget, partToKeep)
  const { data: shop } = query
  const { unknown, bought, found } = purchase
  if (!shop || shop.is_on === false) {
    return (
      <BuyPage product={product} balance={shop?.balance}>
        <QueryAnswer query={query}>{() => <Empty title={buyWords.switchedOff}>{buyWords.switchedOffHint}</Empty>}</QueryAnswer>
      </BuyPage>
    )
  }
  if (!unknown && !bought && !found) return children(shop, purchase)
  return (
    <BuyPage product={product} balance={shop.balance}>
      <UnknownPurchase purchase={purchase} />
      {!unknown && found && (
        <Suspense>
          <FoundResult found={found} onMore={purchase.clear} />
        </Suspense>
      )}
      {!unknown && bought && result(bought, { earns: purchase.earns ?? 0, onMore: purchase.clear }, shop)}
    </BuyPage>
  )
}
