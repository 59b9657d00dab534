import { useMemo, useSyncExternalStore } from 'react'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { useMe } from '../me.ts'
import { onOtherTab, purchasePrefix } from './has-kept-purchases.ts'

/** A number that gets something, and its network, holder or goods. */
export type Recipient = { readonly number: string; readonly detail: string }

/** A purchase as its confirmation shows it. */
export type ShownPurchase = {
  /** The goods: `2 × MTN 5 GB`. */
  readonly what: string
  /** In GHS. */
  readonly amount: number
  readonly to: readonly Recipient[]
}

/** The goods and the amount: `2 × MTN 5 GB, GHS 37.00`. */
export const goodsOf = ({ what, amount }: ShownPurchase): string => `${what}, ${formatGhs(amount)}`

/** A purchase that was sent and whose outcome is not known, as the browser keeps it. */
export type Kept<Body = unknown> = {
  readonly product: string
  readonly body: Body
  readonly shown: ShownPurchase
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

const keyOf = (accountId: string, product: string) => `${purchasePrefix}${accountId}.${product}`

function write(key: string, kept: Kept | undefined): void {
  if (kept) localStorage.setItem(key, JSON.stringify(kept))
  else localStorage.removeItem(key)
  for (const listener of listeners) listener()
}

/** The kept purchases of the account, as one text: `useSyncExternalStore` compares it with the one before. */
function readAll(accountId: string): string {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(keyOf(accountId, '')))
  return `[${keys.map((key) => localStorage.getItem(key)).join(',')}]`
}

/**
 * The purchases of the account whose outcome is not known. They are the same in all tabs of the browser, and are still there after
 * a restart and a sign-out.
 */
export function useKeptPurchases() {
  const accountId = useMe().account.account_id
  const text = useSyncExternalStore(subscribe, () => readAll(accountId))
  return {
    all: useMemo(() => JSON.parse(text) as readonly Kept[], [text]),
    keep: (kept: Kept) => write(keyOf(accountId, kept.product), kept),
    forget: (product: string) => write(keyOf(accountId, product), undefined),
  }
}
