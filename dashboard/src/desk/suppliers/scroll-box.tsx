import type { ReactNode } from 'react'
import css from './suppliers.module.css'

/** Lets a long table scroll within a small area, also by keyboard. */
export function ScrollBox({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // Focusable, because the keyboard scrolls only the element with the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
