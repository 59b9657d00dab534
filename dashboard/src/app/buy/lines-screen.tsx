import type { ReactNode } from 'react'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { useDeleteSavedFields, useSavedFields } from '../use-saved-fields.ts'
import { LineResults } from './line-results.tsx'
import type { BoughtLines, LineOrder, LinesProduct, LinesPurchase } from './lines-product.ts'
import { ProductScreen } from './product-screen.tsx'
import { withoutLines } from './read-lines.ts'
import type { PurchaseState } from './use-kept-purchase.ts'

/**
 * The server's message names an order by its index, as in `orders[3]`. A person knows a line by its phone number, so the
 * message gets that number instead.
 */
function messageNamingNumber(message: string, orders: readonly LineOrder[]): string {
  const [, index, words] = /^orders\[(\d+)\]: (.*)$/s.exec(message) ?? []
  const recipient = orders[Number(index)]?.recipient
  return recipient === undefined || words === undefined ? message : `${recipient}: ${words}`
}

async function buyLines<Line>({ send, wordsOf }: LinesProduct<Line>, { orders, text }: LinesPurchase): Promise<BoughtLines> {
  const { outcomes, balance } = await send(orders).catch((error: unknown) => {
    if (error instanceof ApiRefusal) error.message = messageNamingNumber(error.message, orders)
    throw error
  })
  const results = orders.map((order, index) => ({
    key: order.reference,
    recipient: order.recipient,
    what: wordsOf(order),
    order: outcomes[index]?.order,
    reason: outcomes[index]?.reason,
    paid: outcomes[index]?.paid ?? 0,
  }))
  const leftOut = text.split('\n').filter((line) => line.trim() !== '').length - orders.length
  return { results, leftOut, balance }
}

export type LinesScreenForm<Line> = {
  readonly goods: LinesProduct<Line>
  readonly balance: number
  readonly purchase: PurchaseState<LinesPurchase, BoughtLines>
  readonly text: string
  readonly setText: (text: string) => void
}

type Props<Shop, Line> = {
  readonly goods: LinesProduct<Line>
  readonly read: (signal: AbortSignal) => Promise<Shop>
  readonly children: (shop: Shop, form: LinesScreenForm<Line>) => ReactNode
}

/** The screen of a product for one number or many. Lines that were not bought stay in the text. */
export function LinesScreen<Shop extends { readonly balance: number }, Line>({ goods, read, children }: Props<Shop, Line>) {
  const [{ text }, change] = useSavedFields(`lines.${goods.product}`, { text: '' })
  // Read together with the goods, so that the customers are there when the form is drawn, and nothing moves afterwards.
  useRead('customers', '/app/api/customers', {}, { staleTime: 60_000 })
  const setText = (changed: string) => change({ text: changed })
  const forgetKept = useDeleteSavedFields()
  const send = async (purchase: LinesPurchase) => {
    const { orders, text: sent } = purchase
    const bought = await buyLines(goods, purchase)
    const gone = orders.flatMap(({ place }, index) => (bought.results[index]?.order === undefined ? [] : [place]))
    const left = withoutLines(sent, gone)
    setText(left)
    // The next customer wants a size of his own: one that stayed chosen would be sold to him by mistake.
    if (left.trim() === '') forgetKept(`buy.${goods.product}`, ['network'])
    return bought
  }
  return (
    <ProductScreen
      product={goods.product}
      read={read}
      send={send}
      result={(bought, shown) => <LineResults bought={bought} {...shown} />}
    >
      {(shop, purchase) => children(shop, { goods, balance: shop.balance, purchase, text, setText })}
    </ProductScreen>
  )
}
