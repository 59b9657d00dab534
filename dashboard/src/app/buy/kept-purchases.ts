import { useMemo, useSyncExternalStore } from 'react'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { useMe } from '../me.ts'
import { onOtherTab, purchasePrefix } from './has-kept-purchases.ts'

/** The number that a purchase is for, with its network, its holder or the goods. */
export type Recipient = { readonly number: string; readonly detail: string }

/** A purchase as its confirmation shows it. */
export type ShownPurchase = {
  /** The goods: `2 × MTN 5 GB`. */
  readonly what: string
  /** In GHS. */
  readonly amount: number
  /** Commission that the account gets when the purchase is delivered, in GHS. */
  readonly earns: number
  readonly to: readonly Recipient[]
}

/** The goods and the amount: `2 × MTN 5 GB, GHS 37.00`. */
export const goodsAndAmount = ({ what, amount }: ShownPurchase): string => `${what}, ${formatGhs(amount)}`

/** A purchase that was sent and whose outcome is not known, as the browser keeps it. */
export type PurchaseInDoubt<Body = unknown> = {
  readonly product: string
  /** Undefined after a sign-out, because it has phone numbers. The outcome is then looked up by the references. */
  readonly body: Body | undefined
  readonly references: readonly string[]
  readonly shown: ShownPurchase
  /** When it was sent last, in milliseconds. */
  readonly sentAt: number
  readonly tries: number
}

const listeners = new Set<() => void>()

/** Calls the listener when this tab or another one changes what is kept. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const end = onOtherTab(listener)
  return () => {
    listeners.delete(listener)
    end()
  }
}

/** The prefixes of keys in local storage: of whole purchases, and of copies without recipients. */
const [wholePrefix, referencesPrefix] = [`${purchasePrefix}.`, `${purchasePrefix}s.`] as const

const keyOf = (prefix: string, accountId: string, product: string) => `${prefix}${accountId}.${product}`

/** Stores two copies of a purchase, or removes both. A sign-out deletes the whole copy, but not the copy without recipients. */
function write(accountId: string, product: string, kept: PurchaseInDoubt | undefined): void {
  const [whole, references] = [wholePrefix, referencesPrefix].map((prefix) => keyOf(prefix, accountId, product)) as [
    string,
    string,
  ]
  if (kept) {
    localStorage.setItem(whole, JSON.stringify(kept))
    localStorage.setItem(references, JSON.stringify({ ...kept, body: undefined, shown: { ...kept.shown, to: [] } }))
  } else {
    localStorage.removeItem(whole)
    localStorage.removeItem(references)
  }
  for (const listener of listeners) listener()
}

/** The kept purchases of the account, as one text: `useSyncExternalStore` compares it with the one before. */
function readAll(accountId: string): string {
  const start = keyOf(referencesPrefix, accountId, '')
  const products = Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []))
  const textOf = (product: string) =>
    localStorage.getItem(keyOf(wholePrefix, accountId, product)) ?? localStorage.getItem(`${start}${product}`)
  return `[${products.map(textOf).join(',')}]`
}

/**
 * The purchases of the account whose outcome is unknown. All tabs of the browser share them. They survive a restart and,
 * without their numbers, a sign-out.
 */
export function useKeptPurchases() {
  const accountId = useMe().account.account_id
  const text = useSyncExternalStore(subscribe, () => readAll(accountId))
  return {
    all: useMemo(() => JSON.parse(text) as readonly PurchaseInDoubt[], [text]),
    keep: (kept: PurchaseInDoubt) => write(accountId, kept.product, kept),
    forget: (product: string) => write(accountId, product, undefined),
  }
}
