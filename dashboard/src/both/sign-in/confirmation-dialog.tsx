import { Button, Modal, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { signInWords } from './sign-in-words.ts'

export type GivenProof = { readonly password: string } | { readonly code: string }

type ProofFieldProps = {
  readonly isCode: boolean
  readonly text: string
  readonly onType: (text: string) => void
  readonly failure: string | undefined
}

function ProofField({ isCode, text, onType, failure }: ProofFieldProps) {
  const field = {
    mt: 12,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
    error: failure,
    'data-autofocus': true,
  }
  return isCode ? (
    <TextInput label={signInWords.code} inputMode="numeric" autoComplete="one-time-code" {...field} />
  ) : (
    <PasswordInput label={signInWords.password} autoComplete="current-password" {...field} />
  )
}

type Props = {
  readonly hasTwoFactor: boolean
  /** @throws an error with the server's message when the proof is wrong */
  readonly confirm: (proof: GivenProof) => Promise<void>
}

/** Whether a call waits for the password or code, and the function that ends its wait. */
type OpenConfirmation = { readonly isOpen: boolean; readonly end: (isConfirmed: boolean) => void }

function ProofForm({ hasTwoFactor, confirm, onConfirmed }: Props & { readonly onConfirmed: () => void }) {
  const [text, setText] = useState('')
  const sending = useMutation({
    mutationFn: () => confirm(hasTwoFactor ? { code: text.replaceAll(/\s/g, '') } : { password: text }),
    onSuccess: onConfirmed,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sending.mutate()
      }}
    >
      <p>{hasTwoFactor ? signInWords.confirmWithCode : signInWords.confirmWithPassword}</p>
      <ProofField isCode={hasTwoFactor} text={text} onType={setText} failure={sending.error?.message} />
      <Button type="submit" mt={16} fullWidth loading={sending.isPending}>
        {signInWords.goOn}
      </Button>
    </form>
  )
}

/** The dialog that asks for the password, or for a code of the second factor. */
export default function ConfirmationDialog({ isOpen, end, ...proof }: Props & OpenConfirmation) {
  return (
    <Modal opened={isOpen} onClose={() => end(false)} title={<b>{signInWords.confirmTitle}</b>}>
      <ProofForm {...proof} onConfirmed={() => end(true)} />
    </Modal>
  )
}
