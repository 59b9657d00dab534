import { useEffect, useState } from 'react'

const canTake = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body && !element.matches(':disabled')

/**
 * When the dialog that calls this is gone, gives the focus back to what had it before; to the main part of the screen, if the act
 * took that away.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // A dialog holds the focus until it is gone.
      setTimeout(() => {
        if (canTake(document.activeElement)) return
        const target = canTake(before) ? before : document.getElementById('main')
        target?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}
