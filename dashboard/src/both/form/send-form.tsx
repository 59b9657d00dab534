import { type ReactNode, useState } from 'react'
import { useAct } from '../api/use-read.ts'
import { type Fields, initialTexts, readValues, type TypedTexts, type Values } from './fields.ts'
import { Form, type FormProps } from './form.tsx'
import { FormFields } from './form-fields.tsx'

type Props<F extends Fields, Answer> = Omit<FormProps, 'sending' | 'isReady' | 'done' | 'children'> & {
  readonly fields: F
  readonly run: (values: Values<F>) => Promise<Answer>
  /** The topics that are read again after the form was sent. */
  readonly topics: readonly string[]
  readonly onDone?: (answer: Answer) => void
  /** Shown below the button after the form was sent. */
  readonly done?: (answer: Answer) => ReactNode
  /** Shown above the fields. */
  readonly children?: ReactNode
}

/** True when every needed field has a text, and every field one with which the form may be sent. */
const isComplete = (fields: Fields, typed: TypedTexts): boolean =>
  Object.entries(fields).every(([name, field]) => {
    if (!('isNeeded' in field || 'isReady' in field)) return true
    const text = typed[name]?.trim() ?? ''
    if (text === '' && !field.isNeeded) return true
    return text.length >= (field.lengthMin ?? 1) && (field.isReady?.(text) ?? true)
  })

/**
 * A form that is described by its fields. Once it was sent, the fields have their first values again, unless somebody has typed
 * meanwhile.
 */
export function SendForm<const F extends Fields, Answer>(props: Props<F, Answer>) {
  const { fields, run, topics, onDone, done, children, ...form } = props
  const [typed, setTyped] = useState(() => initialTexts(fields))
  const sending = useAct(
    async (sent: TypedTexts) => run(readValues(fields, sent)),
    topics,
    (answer: Answer, sent) => {
      setTyped((now) => (now === sent ? initialTexts(fields) : now))
      onDone?.(answer)
    },
  )
  return (
    <Form
      {...form}
      sending={{ ...sending, mutate: () => sending.mutate(typed) }}
      isReady={isComplete(fields, typed)}
      done={sending.isSuccess && done?.(sending.data)}
    >
      {children}
      <FormFields fields={fields} typed={typed} onType={(name, text) => setTyped({ ...typed, [name]: text })} />
    </Form>
  )
}
