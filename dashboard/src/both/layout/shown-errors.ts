import { useLayoutEffect, useSyncExternalStore } from 'react'

/** The errors that the screen shows now. An error that two parts show is listed twice. Each change makes a new array. */
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

/** Lists the error as shown for as long as the component that calls this is mounted. */
export function useRegisterShownError(error: unknown): void {
  // Runs before the browser draws, so that the screen never shows an error twice.
  useLayoutEffect(() => {
    change([...shown, error])
    return () => change(shown.toSpliced(shown.indexOf(error), 1))
  }, [error])
}

export const useShownErrors = (): readonly unknown[] => useSyncExternalStore(subscribe, () => shown)
