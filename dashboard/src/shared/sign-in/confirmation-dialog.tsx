import { Button, Modal, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { answerConfirmations } from '../api/ask-confirmation.ts'
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

/** Opens the dialog when a call needs it, and tells that call how it ended. */
function useAskedConfirmation() {
  const [isOpen, setOpen] = useState(false)
  const waiting = useRef<(isConfirmed: boolean) => void>(undefined)
  useEffect(
    () =>
      answerConfirmations(() => {
        setOpen(true)
        return new Promise((resolve) => {
          waiting.current = resolve
        })
      }),
    [],
  )
  const end = (isConfirmed: boolean) => {
    setOpen(false)
    waiting.current?.(isConfirmed)
  }
  return { isOpen, end }
}

type Props = { readonly hasTwoFactor: boolean; readonly confirm: (proof: GivenProof) => Promise<void> }

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

/**
 * Asks for the password, or for a code of the second factor, before keys, money and roles. Calls wait for it through
 * `askConfirmation`.
 *
 * @param confirm sends the proof; throws with words when it was wrong
 */
export function ConfirmationDialog({ hasTwoFactor, confirm }: Props) {
  const { isOpen, end } = useAskedConfirmation()
  return (
    <Modal opened={isOpen} onClose={() => end(false)} title={<b>{signInWords.confirmTitle}</b>}>
      <ProofForm hasTwoFactor={hasTwoFactor} confirm={confirm} onConfirmed={() => end(true)} />
    </Modal>
  )
}
