import { Modal, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/call-api.ts'
import { Form } from '../form/form.tsx'
import { bindText } from '../form/typed.ts'
import { useFocusBack } from '../form/use-focus-back.ts'
import type { Face } from './face.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { signInWords } from './sign-in-words.ts'

export type GivenProof = { readonly password: string } | { readonly code: string } | { readonly passkey: string }

type Props = {
  readonly person: { readonly has_two_factor: boolean; readonly has_passkey: boolean }
  readonly face: Face
  /** @throws an error with the server's message when the proof is wrong */
  readonly confirm: (proof: GivenProof) => Promise<void>
}

/** `isOpen`: a call waits for the password or a code. `end` ends the wait; false when the person gave none. */
type OpenConfirmation = { readonly isOpen: boolean; readonly end: (isConfirmed: boolean) => void }

function ProofForm({ person, face, confirm, onConfirmed }: Props & { readonly onConfirmed: () => void }) {
  useFocusBack()
  const { has_two_factor: hasTwoFactor, has_passkey: hasPasskey } = person
  const [text, setText] = useState('')
  const sending = useMutation({
    mutationFn: () => confirm(hasTwoFactor ? { code: text.replaceAll(/\s/g, '') } : { password: text }),
    onSuccess: onConfirmed,
  })
  const field = { 'data-autofocus': true, ...bindText(text, setText) }
  return (
    <Form sending={sending} action={signInWords.goOn}>
      {hasPasskey && <PasskeyButton ask={() => post(`${face}/confirm/options`)} send={confirm} onDone={onConfirmed} />}
      <p>{hasTwoFactor ? signInWords.confirmWithCode : signInWords.confirmWithPassword}</p>
      {hasTwoFactor ? (
        <TextInput label={signInWords.code} inputMode="numeric" autoComplete="one-time-code" {...field} />
      ) : (
        <PasswordInput label={signInWords.password} autoComplete="current-password" {...field} />
      )}
    </Form>
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
