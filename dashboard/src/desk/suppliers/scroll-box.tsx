import type { ReactNode } from 'react'
import css from './suppliers.module.css'

/** A long table in little room: it scrolls by itself, by keyboard too. */
export function ScrollBox({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // The box can have the focus, because the keyboard scrolls only what has it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
