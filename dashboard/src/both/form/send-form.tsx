import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAct } from '../api/use-read.ts'
import { Failure } from '../layout/wait.tsx'
import { type Fields, initialTexts, readValues, type Typed, type Values } from './fields.ts'
import { FormFields } from './form-fields.tsx'
import css from './send-form.module.css'

type FormProps = {
  readonly label?: string
  /** The state of the last sending: whether it runs, and its error. */
  readonly sending: { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => void }
  /** The text of the button. */
  readonly action: string
  readonly isReady?: boolean
  readonly button?: ButtonProps
  /** Further buttons. */
  readonly acts?: ReactNode
  /** Shown below the button. */
  readonly done?: ReactNode
  readonly children: ReactNode
}

/** A form that one button sends: its fields, the last failure, and what was done. */
export function Form({ label, sending, action, isReady = true, button, acts, done, children }: FormProps) {
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) sending.mutate()
      }}
    >
      {children}
      {sending.error && <Failure error={sending.error} />}
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

type Props<F extends Fields, Answer> = Omit<FormProps, 'sending' | 'isReady' | 'done' | 'children'> & {
  readonly fields: F
  readonly run: (values: Values<F>) => Promise<Answer>
  /** The topics whose answers are read again afterwards. */
  readonly topics: readonly string[]
  readonly onDone?: (answer: Answer) => void
  /** What the form shows when it was sent. */
  readonly done?: (answer: Answer) => ReactNode
  /** Shown above the fields. */
  readonly children?: ReactNode
  /** Shown below the fields. */
  readonly after?: ReactNode
}

/** Whether every needed field has a text with which the form may be sent. */
const isComplete = (fields: Fields, typed: Typed): boolean =>
  Object.entries(fields).every(([name, field]) => {
    if (!('isNeeded' in field) || !field.isNeeded) return true
    const text = typed[name]?.trim() ?? ''
    return text.length >= (field.lengthMin ?? 1) && (field.isReady?.(text) ?? true)
  })

/** A form of a screen whose fields are data. They are empty again when it was sent. */
export function SendForm<const F extends Fields, Answer>(props: Props<F, Answer>) {
  const { fields, run, topics, onDone, done, children, after, ...form } = props
  const [typed, setTyped] = useState(() => initialTexts(fields))
  const sending = useAct(
    async () => run(readValues(fields, typed)),
    topics,
    (answer: Answer) => {
      setTyped(initialTexts(fields))
      onDone?.(answer)
    },
  )
  return (
    <Form {...form} sending={sending} isReady={isComplete(fields, typed)} done={sending.isSuccess && done?.(sending.data)}>
      {children}
      <FormFields fields={fields} typed={typed} onType={(name, text) => setTyped({ ...typed, [name]: text })} />
      {after}
    </Form>
  )
}
