import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '../layout/query-states.tsx'
import css from './form.module.css'

/** The state of the last sending of a form, and the function that sends it. */
export type Sending = { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => void }

export type FormProps = {
  /** The name of the form for screen readers. */
  readonly label?: string
  readonly sending: Sending
  /** The text of the button. */
  readonly action: string
  readonly isReady?: boolean
  readonly button?: ButtonProps
  /** Further buttons. */
  readonly acts?: ReactNode
  /** Shown below a failure: what the person can do. */
  readonly afterFailure?: ReactNode
  /** Shown below the button when the form was sent. */
  readonly done?: ReactNode
  readonly children: ReactNode
}

/** A form that one button sends: its fields, the last failure, and what was done. */
export function Form(props: FormProps) {
  const { label, sending, action, isReady = true, button, acts, afterFailure, done, children } = props
  return (
    <form
      className={css.form}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) sending.mutate()
      }}
    >
      <div className={css.body}>
        {children}
        {sending.error && <Failure error={sending.error} />}
        {sending.error && afterFailure}
      </div>
      <div className={css.acts}>
        <Button type="submit" disabled={!isReady} loading={sending.isPending} {...button}>
          {action}
        </Button>
        {acts}
      </div>
      <div role="status">{done}</div>
    </form>
  )
}
