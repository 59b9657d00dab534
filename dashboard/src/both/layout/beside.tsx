import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { sharedWords } from '../words.ts'
import css from './beside.module.css'

type Props = {
  /** The name of the panel for screen readers. */
  readonly label: string
  /** The panel of the chosen row. Undefined: no row is chosen, and the list has the whole width. */
  readonly panel: ReactNode | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A list, and beside it a panel for the chosen row. On a phone the panel takes the place of the list. Escape closes it, and the
 * focus returns to the row.
 */
export function ListWithPanel({ label, panel, onClose, children }: Props) {
  const isOpen = panel !== undefined
  // The present `onClose`: it keeps the filters that were changed while the panel was open.
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen) return undefined
    const before = document.activeElement
    const closeOnEscape = ({ key, defaultPrevented, target }: KeyboardEvent) => {
      // If a dialog is open above the panel, Escape closes only the dialog. The dialog may be gone when this handler runs, so
      // the key's target is checked too.
      const isOfDialog = target instanceof Element && target.closest('[role="dialog"]') !== null
      if (key === 'Escape' && !defaultPrevented && !isOfDialog && !document.querySelector('[role="dialog"]')) close()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      if (before instanceof HTMLElement) before.focus()
    }
    // Runs only when the panel opens or closes, because its end gives the focus back.
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
