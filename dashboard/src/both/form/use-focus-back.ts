import { useEffect, useState } from 'react'

const canTake = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body && !element.matches(':disabled')

/**
 * When the dialog that calls this closes, the element that had the focus before gets it back; or the main part of the screen,
 * if that element is gone.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // Waits, because a dialog keeps the focus until it is removed.
      setTimeout(() => {
        if (canTake(document.activeElement)) return
        const target = canTake(before) ? before : document.getElementById('main')
        target?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}
