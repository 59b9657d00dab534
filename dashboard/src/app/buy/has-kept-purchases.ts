import { useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'

/** The beginning of all names under which the browser keeps purchases. */
export const purchasePrefix = 'makola.purchase'

/** Calls the listener when another tab changes what is kept. */
export function onOtherTab(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

const hasKept = (): boolean => Object.keys(localStorage).some((key) => key.startsWith(purchasePrefix))

/** True while the browser keeps a purchase. Checks again when the address changes, and when another tab keeps one. */
export function useHasKeptPurchases(): boolean {
  useLocation()
  return useSyncExternalStore(onOtherTab, hasKept)
}
