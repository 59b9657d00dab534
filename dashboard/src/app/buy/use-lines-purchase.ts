import { useState } from 'react'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { newReference } from '../../both/money/use-reference.ts'
import type { CheckedLine } from './checked-lines.tsx'
import type { LineResult } from './line-results.tsx'
import { withoutLines } from './read-lines.ts'
import { type Outcome, useKeptPurchase } from './use-kept-purchase.ts'

/** One order of a purchase, kept until its outcome is known. */
export type KeptOrder = {
  readonly reference: string
  readonly recipient: string
  readonly network: string
  /** GB or GHS. */
  readonly size: number
  /** The price of the line as it was shown, in GHS. */
  readonly price: number
  /** The number of its line in the text. */
  readonly place: number
}

/** The result of a purchase, line by line. */
export type BoughtLines = { readonly results: readonly LineResult[]; readonly paid: number; readonly balance: number | undefined }

/** Sends the orders of a purchase. @throws ApiRefusal, or NoAnswer when any of them may have been placed */
export type SendOrders = (orders: readonly KeptOrder[]) => Promise<BoughtLines>

type Purchase = { readonly orders: readonly KeptOrder[]; readonly text: string; readonly what: string }

/** Makes an order, with a new reference, of each line that can be bought. */
export function ordersOf(lines: readonly CheckedLine[], sizes: readonly number[], places: readonly number[]): KeptOrder[] {
  return lines.flatMap(({ recipient, network, price }, index) =>
    price === null || network === null
      ? []
      : [{ reference: newReference(), recipient, network, size: sizes[index] ?? 0, price, place: places[index] ?? 0 }],
  )
}

/**
 * Replaces the line's number in the server's message, which counts the orders sent, by the phone number, by which a person knows
 * the line.
 */
function messageNamingNumber(message: string, orders: readonly KeptOrder[]): string {
  const [, index, words] = /^orders\[(\d+)\]: (.*)$/s.exec(message) ?? []
  const recipient = orders[Number(index)]?.recipient
  return recipient === undefined || words === undefined ? message : `${recipient}: ${words}`
}

/** Buys the lines. Those that were not bought stay in the text. */
export function useLinesPurchase(form: string, send: SendOrders) {
  const kept = useKeptPurchase<Purchase, BoughtLines>(form, ({ orders }) => send(orders))
  const [text, setText] = useState('')
  const [bought, setBought] = useState<BoughtLines>()
  const [refusal, setRefusal] = useState<ApiRefusal>()

  /** Shows the outcome. @returns the refusal, if nothing was bought */
  function take(purchase: Purchase, outcome: Outcome<BoughtLines>): ApiRefusal | undefined {
    if (!outcome) return undefined
    const isBought = new Set('answer' in outcome ? outcome.answer.results.flatMap((line) => (line.status ? [line.key] : [])) : [])
    setText(
      withoutLines(
        purchase.text,
        purchase.orders.flatMap(({ reference, place }) => (isBought.has(reference) ? [place] : [])),
      ),
    )
    setBought('answer' in outcome ? outcome.answer : undefined)
    const refused = 'refusal' in outcome ? outcome.refusal : undefined
    if (refused) refused.message = messageNamingNumber(refused.message, purchase.orders)
    setRefusal(refused)
    return refused
  }

  return {
    text,
    setText,
    bought,
    refusal,
    isBusy: kept.isBusy,
    /** The purchase whose outcome is not known yet. */
    unknown: kept.kept,
    buy: async (orders: readonly KeptOrder[], what: string) => {
      const purchase = { orders, text, what }
      return take(purchase, await kept.buy(purchase))
    },
    again: async () => {
      if (kept.kept) take(kept.kept, await kept.again())
    },
    clear: () => setBought(undefined),
  }
}
