import { Button } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { sharedWords } from '../words.ts'
import css from './beside.module.css'

type Props = {
  /** What stands in the panel, for who listens to the screen. */
  readonly label: string
  /** The chosen thing; undefined: nothing is chosen, and the list has the whole width. */
  readonly panel: ReactNode | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A list, and beside it a panel for the chosen row. On a phone the panel takes the place of the list. Escape closes it,
 * and the focus goes back to the row.
 */
export function Beside({ label, panel, onClose, children }: Props) {
  const isOpen = panel !== undefined
  useEffect(() => {
    if (!isOpen) return undefined
    const before = document.activeElement
    const closeOnEscape = ({ key, defaultPrevented, target }: KeyboardEvent) => {
      // A dialog above the panel closes first; it may be gone already when its own key comes here.
      const isOfDialog = target instanceof Element && target.closest('[role="dialog"]') !== null
      if (key === 'Escape' && !defaultPrevented && !isOfDialog && !document.querySelector('[role="dialog"]')) onClose()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      if (before instanceof HTMLElement) before.focus()
    }
    // The way to close does not change while the panel is open.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOpen])
  return (
    <div className={`${css.beside} ${isOpen ? css.isOpen : ''}`}>
      <div className={css.list}>{children}</div>
      {isOpen && (
        <aside className={css.panel} aria-label={label}>
          <div className={css.close}>
            <Button variant="subtle" size="compact-sm" onClick={onClose}>
              {sharedWords.close}
            </Button>
          </div>
          {panel}
        </aside>
      )}
    </div>
  )
}
