import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from '../form/form.tsx'
import { PasswordField } from '../sign-in/fields.tsx'
import css from './second-factor.module.css'

type Props<T> = {
  readonly title: string
  readonly lead: string
  readonly action: string
  readonly isGrave?: boolean
  readonly send: (body: { password: string }) => Promise<T>
  readonly onDone: (answer: T) => void
}

/** A form with the password and one button. */
export function PasswordPart<T>({ title, lead, action, isGrave = false, send, onDone }: Props<T>) {
  const [password, setPassword] = useState('')
  const sending = useMutation({ mutationFn: () => send({ password }), onSuccess: onDone })
  return (
    <div className={css.form}>
      <Form label={title} sending={sending} action={action} button={{ variant: isGrave ? 'default' : 'filled' }}>
        <h2>{title}</h2>
        <p className={css.soft}>{lead}</p>
        <PasswordField value={password} onType={setPassword} />
      </Form>
    </div>
  )
}
