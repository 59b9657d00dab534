import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Asked, Empty } from '../../both/layout/wait.tsx'
import { buyWords } from '../words/buy.ts'
import { BuyPage, type Product } from './buy-page.tsx'

type Props<Answer> = {
  readonly product: Product
  readonly read: (signal: AbortSignal) => Promise<Answer>
  readonly children: (shop: Answer) => ReactNode
}

/** Shows the form of a product with the goods on sale; while the product is switched off, a message. */
export function Shop<Answer extends { readonly balance: number; readonly is_on?: boolean }>({
  product,
  read,
  children,
}: Props<Answer>) {
  const shop = useQuery({ queryKey: ['shop', product], queryFn: ({ signal }) => read(signal) })
  if (shop.data && shop.data.is_on !== false) return children(shop.data)
  return (
    <BuyPage product={product} balance={shop.data?.balance}>
      <Asked query={shop}>{() => <Empty title={buyWords.switchedOff}>{buyWords.switchedOffHint}</Empty>}</Asked>
    </BuyPage>
  )
}
