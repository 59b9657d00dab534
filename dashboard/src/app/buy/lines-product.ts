import type { Schema } from '../../both/api/call-api.ts'
import type { AmountKind } from '../../both/money/read-amount.ts'
import type { StatedOrder } from '../orders/use-states.ts'
import { buyWords } from '../words/buy.ts'

type DataLine = Schema<'CheckedDataLinesLine'>
/** A line of the form for bundles or for airtime. The two products name their networks differently. */
export type CheckedLine = Omit<DataLine, 'network' | 'networks'> & {
  readonly network: string | null
  readonly networks: readonly string[]
}

/** The server's answer about lines: how many are `ready` to buy, and in GHS their total, the balance and the commission. */
export type CheckedLinesAnswer = {
  readonly lines: readonly CheckedLine[]
  readonly ready: number
  readonly total: number
  readonly balance: number
  readonly commission: number
}

type NewOrder = {
  readonly recipient: string
  readonly network: string
  /** GB or GHS. */
  readonly size: number
  /** The price of the line as it was shown, in GHS. */
  readonly price: number
  /** The number of the order's line in the text, counted from 0. */
  readonly place: number
}
/** One order of a purchase, kept until its outcome is known. */
export type LineOrder = NewOrder & { readonly reference: string }

/** The outcome of one line. Without an order nothing was bought, and there may be a reason. */
type Outcome = { readonly order: StatedOrder | undefined; readonly reason: string | undefined; readonly paid: number }

/** A product that is bought for one number or many, one on each line. `Line` is a line as the server takes it. */
export type LinesProduct<Line> = {
  readonly product: 'data' | 'airtime'
  readonly hint: string
  /** The unit of a line's size: GB of a bundle, or GHS of airtime. */
  readonly kind: AmountKind
  readonly check: (lines: Line[], signal?: AbortSignal) => Promise<CheckedLinesAnswer>
  /** A slower check, which may take seconds, right before the purchase. */
  readonly checkClosely?: (lines: Line[]) => Promise<CheckedLinesAnswer>
  /**
   * Buys, and answers with the outcome of each order.
   * @throws ApiRefusal when the server refuses all, NoAnswer when any may have been placed
   */
  readonly send: (orders: readonly LineOrder[]) => Promise<{ outcomes: readonly Outcome[]; balance: number | undefined }>
  /** The goods of an order: `MTN 5 GB`. */
  readonly wordsOf: (order: NewOrder) => string
  /** The goods of an order as own prices name them: `MTN 5GB`. */
  readonly itemOf: (order: NewOrder) => string
}

/** A purchase of lines: its orders, and the text of the field. */
export type LinesPurchase = { readonly orders: readonly LineOrder[]; readonly text: string }

type LineResult = Outcome & { readonly key: string; readonly recipient: string; readonly what: string }

export type BoughtLines = {
  readonly results: readonly LineResult[]
  readonly balance: number | undefined
  /** How many lines of the text were not sent, and stay in it. */
  readonly leftOut: number
}

/** Makes an order of each line that can be bought. */
export function ordersOf(lines: readonly CheckedLine[], sizes: readonly number[], places: readonly number[]): NewOrder[] {
  return lines.flatMap(({ recipient, network, price }, index) =>
    price === null || network === null ? [] : [{ recipient, network, size: sizes[index] ?? 0, price, place: places[index] ?? 0 }],
  )
}

/** The goods of many orders in words: `2 × MTN 5 GB`, or only how many numbers if the goods differ. */
export function wordsOfOrders(orders: readonly NewOrder[], wordsOf: (order: NewOrder) => string): string {
  const kinds = new Set(orders.map(wordsOf))
  return kinds.size === 1 ? `${orders.length} × ${[...kinds].join('')}` : buyWords.count(orders.length)
}
