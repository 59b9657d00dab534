import type { ReactNode } from 'react'
import { Form, type FormProps } from '../form/form.tsx'
import css from './sign-in.module.css'

type Props = Omit<FormProps, 'done'> & {
  /** Absent where the screen has its own title. */
  readonly title?: string
  readonly lead?: ReactNode
  readonly links?: ReactNode
}

/** A form with a title, its fields, one button, and links. */
export function EntryForm({ title, lead, links, children, ...form }: Props) {
  return (
    <>
      <Form {...form}>
        {title !== undefined && <h1>{title}</h1>}
        {lead && <div className={css.lead}>{lead}</div>}
        {children}
      </Form>
      {links !== undefined && <div className={css.links}>{links}</div>}
    </>
  )
}

/** Shown when a form is done: a title, and what comes next. */
export function EntryDone({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={css.form} role="status">
      <h1>{title}</h1>
      {children}
    </div>
  )
}

/** A button that looks like a link, for an action that does not leave the page. */
export function PlainButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className={css.plainButton} onClick={onClick}>
      {children}
    </button>
  )
}
