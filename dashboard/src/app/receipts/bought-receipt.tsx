import type { ReactNode } from 'react'
import { useRead } from '../../both/api/use-read.ts'
import SaleReceipt from './sale-receipt.tsx'

/** The receipt of an order that was just bought, and what is shown until the order is read. */
export default function BoughtReceipt({ order, awaited }: { readonly order: string; readonly awaited: ReactNode }) {
  const { data } = useRead('order', '/app/api/orders/{order}', { order })
  return data === undefined ? awaited : <SaleReceipt order={data.order} />
}
