import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { PhoneField } from '../../both/phone-field.tsx'
import { cleanPhone } from '../../both/phones.ts'
import { EntryDone, EntryForm, PlainButton } from '../../both/sign-in/entry-form.tsx'
import { EmailField, NewPasswordField } from '../../both/sign-in/fields.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { KeptMailsLink } from '../mail/kept-mails-link.tsx'
import { PhoneCodeField } from '../profile/phone-code-field.tsx'
import { frameWords } from '../words/frame.ts'
import { phoneWords as words } from '../words/phone.ts'

/** Replaces a forgotten password with a code to the phone: e-mail and number, then the code and the new password. */
export default function PhoneRecoveryScreen() {
  const [email, setEmail] = useState('')
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const asked = { email: email.trim(), phone: cleanPhone(phone) }
  const asking = useMutation({ mutationFn: () => post('/app/api/forgot-password/phone', asked) })
  const saving = useMutation({
    mutationFn: () => post('/app/api/reset-password/phone', { ...asked, code: code.replaceAll(/\s/g, ''), password }),
  })
  const toSignIn = <Link href="/">{signInWords.toSignIn}</Link>
  if (saving.isSuccess) {
    return (
      <SignInFrame name={frameWords.name}>
        <EntryDone title={signInWords.passwordSaved}>
          <p>{signInWords.passwordSavedNext}</p>
          {toSignIn}
        </EntryDone>
      </SignInFrame>
    )
  }
  if (asking.isSuccess) {
    const again = <PlainButton onClick={asking.reset}>{words.again}</PlainButton>
    return (
      <SignInFrame name={frameWords.name}>
        <EntryForm
          title={words.recoverTitle}
          lead={words.recoverSent(phone)}
          sending={saving}
          action={signInWords.savePassword}
          links={
            <>
              {again}
              <KeptMailsLink />
            </>
          }
        >
          <PhoneCodeField value={code} onType={setCode} />
          <NewPasswordField value={password} onType={setPassword} />
        </EntryForm>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame name={frameWords.name}>
      <EntryForm
        title={words.recoverTitle}
        lead={words.recoverLead}
        sending={asking}
        action={words.send}
        links={
          <>
            <Link href="/forgot-password">{signInWords.forgot}</Link>
            {toSignIn}
          </>
        }
      >
        <EmailField value={email} onType={setEmail} />
        <PhoneField label={words.field} required value={phone} onType={setPhone} />
      </EntryForm>
    </SignInFrame>
  )
}
