import { TextInput, type TextInputProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiRefusal, post } from '../api/call-api.ts'
import { bindText } from '../form/typed.ts'
import { EntryForm, PlainButton } from './entry-form.tsx'
import type { Face } from './face.ts'
import { EmailField, PasswordField } from './fields.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { signInWords } from './sign-in-words.ts'

export type SignInAnswer = { readonly status: 'signed_in' | 'second_factor'; readonly has_passkey?: boolean }

type CodeFormProps = {
  readonly face: Face
  readonly hasPasskey: boolean
  readonly onSignedIn: () => void
  /** Begins the sign-in again from its first step. */
  readonly onBeginAgain: () => void
  /** Shown below the field for a back-up code. */
  readonly lost?: ReactNode
}

function CodeField({ isBackup, field }: { readonly isBackup: boolean; readonly field: TextInputProps }) {
  return isBackup ? (
    <TextInput
      label={signInWords.backupCode}
      description={signInWords.backupCodeHelp}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
    />
  ) : (
    <TextInput
      label={signInWords.code}
      description={signInWords.codeHelp}
      inputMode="numeric"
      autoComplete="one-time-code"
      {...field}
    />
  )
}

/** Asks for a passkey where there is one, the code of the person's app, or a back-up code. */
export function SecondFactorForm({ face, hasPasskey, onSignedIn, onBeginAgain, lost }: CodeFormProps) {
  const [text, setText] = useState('')
  const [isBackup, setBackup] = useState(false)
  const sending = useMutation({
    mutationFn: () => {
      const given = text.replaceAll(/\s/g, '')
      return post(`${face}/second-factor`, isBackup ? { backup_code: given } : { code: given })
    },
    onSuccess: onSignedIn,
  })
  const isOver = sending.error instanceof ApiRefusal && ['sign_in_again', 'code_raced'].includes(sending.error.reason)
  return (
    <>
      <EntryForm
        title={signInWords.codeTitle}
        lead={
          hasPasskey &&
          !isBackup && (
            <PasskeyButton
              ask={() => post(`${face}/second-factor/options`)}
              send={(given) => post(`${face}/second-factor`, given)}
              onDone={onSignedIn}
            />
          )
        }
        sending={sending}
        action={signInWords.goOn}
        afterFailure={isOver && <PlainButton onClick={onBeginAgain}>{signInWords.beginAgain}</PlainButton>}
        links={
          <PlainButton
            onClick={() => {
              setBackup(!isBackup)
              setText('')
              sending.reset()
            }}
          >
            {isBackup ? signInWords.useCode : signInWords.useBackupCode}
          </PlainButton>
        }
      >
        <CodeField
          key={String(isBackup)}
          isBackup={isBackup}
          field={{ autoFocus: true, required: true, ...bindText(text, setText) }}
        />
      </EntryForm>
      {isBackup && lost}
    </>
  )
}

type Props = { readonly face: Face; readonly onSignedIn: () => void } & {
  readonly links?: ReactNode
  readonly lost?: ReactNode
}

/** E-mail and password, then the second factor where the person has one. */
export function SignInForm({ face, onSignedIn, links, lost }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signingIn = useMutation({
    mutationFn: () => post(`${face}/sign-in`, { email: email.trim(), password }),
    onSuccess: ({ status }) => {
      if (status === 'signed_in') onSignedIn()
    },
  })
  if (signingIn.data?.status === 'second_factor') {
    const form = { face, onSignedIn, lost, hasPasskey: signingIn.data.has_passkey === true }
    return <SecondFactorForm {...form} onBeginAgain={signingIn.reset} />
  }
  const isUnverified = signingIn.error instanceof ApiRefusal && signingIn.error.reason === 'email_not_verified'
  return (
    <EntryForm
      title={signInWords.title}
      sending={signingIn}
      action={signInWords.signIn}
      links={links}
      afterFailure={isUnverified && <p>{signInWords.notVerified}</p>}
    >
      <EmailField value={email} onType={setEmail} />
      <PasswordField value={password} onType={setPassword} />
    </EntryForm>
  )
}
