import { useLayoutEffect, useSyncExternalStore } from 'react'

/** The errors that parts of the screen show now, each as often as it is shown. A new array after each change. */
let shown: readonly unknown[] = []
const listeners = new Set<() => void>()

function change(to: readonly unknown[]): void {
  shown = to
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Records that a part of the screen shows this error, as long as it does. */
export function useNotedAsShown(error: unknown): void {
  // Runs before the browser draws, so that the screen never shows an error twice.
  useLayoutEffect(() => {
    change([...shown, error])
    return () => change(shown.toSpliced(shown.indexOf(error), 1))
  }, [error])
}

export const useShownErrors = (): readonly unknown[] => useSyncExternalStore(subscribe, () => shown)
