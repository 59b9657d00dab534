import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { PhoneField } from '../../both/phone-field.tsx'
import { cleanPhone, groupDigits } from '../../both/phones.ts'
import { EntryForm, PlainButton } from '../../both/sign-in/entry-form.tsx'
import { EmailField, NewPasswordField } from '../../both/sign-in/fields.tsx'
import { PasswordSaved } from '../../both/sign-in/set-password-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { KeptMailsLink } from '../mail/kept-mails.tsx'
import { PhoneCodeField } from '../profile/phone-code-field.tsx'
import { frameWords } from '../words/frame.ts'
import { phoneWords as words } from '../words/phone.ts'

type AskedProps = { readonly asked: { readonly email: string; readonly phone: string }; readonly onAgain: () => void }

/** Asks for the code in the SMS and a new password, and says when the password is saved. */
function CodeAndPassword({ asked, onAgain }: AskedProps) {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const saving = useMutation({
    mutationFn: () => post('/app/api/reset-password/phone', { ...asked, code: code.replaceAll(/\s/g, ''), password }),
  })
  if (saving.isSuccess) return <PasswordSaved />
  return (
    <EntryForm
      title={words.recoverTitle}
      lead={words.recoverSent(groupDigits(asked.phone))}
      sending={saving}
      action={signInWords.savePassword}
      links={
        <>
          <PlainButton onClick={onAgain}>{words.again}</PlainButton>
          <KeptMailsLink />
        </>
      }
    >
      <PhoneCodeField value={code} onType={setCode} />
      <NewPasswordField value={password} onType={setPassword} />
    </EntryForm>
  )
}

/** Replaces a forgotten password with a code to the phone: e-mail and number, then the code and the new password. */
export default function PhoneRecoveryScreen() {
  const [email, setEmail] = useState('')
  const [phone, setPhone] = useState('')
  const asked = { email: email.trim(), phone: cleanPhone(phone) }
  const asking = useMutation({ mutationFn: () => post('/app/api/forgot-password/phone', asked) })
  return (
    <SignInFrame name={frameWords.name}>
      {asking.isSuccess ? (
        <CodeAndPassword asked={asked} onAgain={asking.reset} />
      ) : (
        <EntryForm
          title={words.recoverTitle}
          lead={words.recoverLead}
          sending={asking}
          action={words.send}
          links={
            <>
              <Link href="/forgot-password">{signInWords.forgot}</Link>
              <Link href="/">{signInWords.toSignIn}</Link>
            </>
          }
        >
          <EmailField value={email} onType={setEmail} />
          <PhoneField label={words.field} required value={phone} onType={setPhone} />
        </EntryForm>
      )}
    </SignInFrame>
  )
}
