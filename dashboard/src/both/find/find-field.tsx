import { type ComponentType, Suspense, useEffect, useState } from 'react'
import css from './find.module.css'
import { findWords as words } from './find-words.ts'

type Props = {
  readonly hint: string
  readonly className?: string | undefined
  /** The app's own dialog, which is loaded when it is opened. */
  readonly Palette: ComponentType<{ readonly onClose: () => void }>
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** A button that looks like a search field. A click on it, Ctrl-K and `/` load and open the search. */
export function FindField({ hint, className = '', Palette }: Props) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const openByKey = (event: KeyboardEvent) => {
      const isCtrlK = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)
      // While another dialog is open, the keys do not open the search.
      if ((!isCtrlK && !isSlash) || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', openByKey)
    return () => document.removeEventListener('keydown', openByKey)
  }, [])
  return (
    <>
      <button type="button" className={`${css.field} ${className}`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5l3.5 3.5" />
        </svg>
        <span>{hint}</span>
        <kbd>{words.keys}</kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
