import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '../layout/wait.tsx'
import css from './sign-in.module.css'

type Props = {
  /** Absent where the screen has its own title. */
  readonly title?: string
  readonly lead?: ReactNode
  /** The state of the last sending: whether it runs, and its error. */
  readonly sending: { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => void }
  /** The text of the button. */
  readonly action: string
  /** Shown below the failure: what the person can do. */
  readonly afterFailure?: ReactNode
  readonly links?: ReactNode
  readonly children: ReactNode
}

/** A form for one act: its title, the last failure, its fields, one button, and links. */
export function EntryForm({ title, lead, sending, action, afterFailure, links, children }: Props) {
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        sending.mutate()
      }}
    >
      {title !== undefined && <h1>{title}</h1>}
      {lead !== undefined && <p className={css.lead}>{lead}</p>}
      {sending.error && <Failure error={sending.error} />}
      {sending.error && afterFailure}
      {children}
      <Button type="submit" loading={sending.isPending}>
        {action}
      </Button>
      {links !== undefined && <div className={css.links}>{links}</div>}
    </form>
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

/** A button that looks like a link, for an act that does not leave the page. */
export function PlainButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className={css.plainButton} onClick={onClick}>
      {children}
    </button>
  )
}
