import { useRead } from '../../both/api/use-read.ts'
import SaleReceipt from './sale-receipt.tsx'

/** The receipt of an order that was just bought. Nothing until the order is read. */
export default function BoughtReceipt({ order }: { readonly order: string }) {
  const { data } = useRead('order', '/app/api/orders/{order}', { order })
  return data === undefined ? null : <SaleReceipt order={data.order} />
}
