import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Failure } from '../layout/wait.tsx'
import css from './sign-in.module.css'
import { signInWords } from './sign-in-words.ts'

/** The calls of one face: `/app/api` or `/desk/api`. */
export type SignInCalls = {
  readonly signIn: (body: { email: string; password: string }) => Promise<{ status: 'signed_in' | 'second_factor' }>
  readonly giveSecondFactor: (body: { code: string } | { backup_code: string }) => Promise<unknown>
}

type Props = { readonly calls: SignInCalls; readonly onSignedIn: () => void; readonly links?: ReactNode }

const isCode = /^\d{6}$/

function SecondFactorForm({ calls, onSignedIn }: Props) {
  const [code, setCode] = useState('')
  const sending = useMutation({
    mutationFn: () => {
      const given = code.replaceAll(/\s/g, '')
      return calls.giveSecondFactor(isCode.test(given) ? { code: given } : { backup_code: given })
    },
    onSuccess: onSignedIn,
    meta: { isSigningIn: true },
  })
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        sending.mutate()
      }}
    >
      <h1>{signInWords.codeTitle}</h1>
      {sending.isError && <Failure error={sending.error} />}
      <TextInput
        label={signInWords.code}
        description={signInWords.codeHelp}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={sending.isPending}>
        {signInWords.goOn}
      </Button>
    </form>
  )
}

/** E-mail and password, then the second factor where the person has one. */
export function SignInForm(props: Props) {
  const { calls, onSignedIn, links } = props
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signingIn = useMutation({
    mutationFn: () => calls.signIn({ email: email.trim(), password }),
    onSuccess: ({ status }) => {
      if (status === 'signed_in') onSignedIn()
    },
    meta: { isSigningIn: true },
  })
  if (signingIn.data?.status === 'second_factor') return <SecondFactorForm {...props} />
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        signingIn.mutate()
      }}
    >
      <h1>{signInWords.title}</h1>
      {signingIn.isError && <Failure error={signingIn.error} />}
      <TextInput
        label={signInWords.email}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label={signInWords.password}
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={signingIn.isPending}>
        {signInWords.signIn}
      </Button>
      {links}
    </form>
  )
}
