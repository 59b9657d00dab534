import { useEffect, useState } from 'react'

const canTake = (element: Element | null | undefined): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body && !element.matches(':disabled')

/** The focused element, and a function that finds what stands in its place later: itself, or a button that has replaced it. */
function rememberFocus(): () => HTMLElement | undefined {
  const before = document.activeElement
  const group = before?.parentElement
  const place = [...(group?.children ?? [])].indexOf(before as Element)
  return () => {
    const now = group?.children[place]
    return canTake(before) ? before : canTake(now) && now.matches('button') ? now : undefined
  }
}

/**
 * When the dialog that calls this closes, the element that had the focus before gets it back; if that is gone, the button that is
 * now in its place, such as "Reactivate" for "Suspend", or else the main part of the screen.
 */
export function useFocusBack(): void {
  const [findBefore] = useState(rememberFocus)
  useEffect(
    () => () => {
      // Waits, because a dialog keeps the focus until it is removed.
      setTimeout(() => {
        if (canTake(document.activeElement)) return
        const target = findBefore() ?? document.getElementById('main')
        target?.focus({ preventScroll: true })
      })
    },
    [findBefore],
  )
}
