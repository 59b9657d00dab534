import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { PhoneField } from '../../both/phone-field.tsx'
import { cleanPhone } from '../../both/phones.ts'
import { EntryDone, EntryForm, PlainButton } from '../../both/sign-in/entry-form.tsx'
import { EmailField, NewPasswordField } from '../../both/sign-in/fields.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { KeptMailsLink } from '../mail/kept-mails.tsx'
import { frameWords } from '../words/frame.ts'
import { phoneWords } from '../words/phone.ts'
import { entryWords } from '../words/sign-in.ts'
import { useHasPhoneWay } from './use-sign-in-ways.ts'

function MailSent({ email, onAgain }: { readonly email: string; readonly onAgain: () => void }) {
  return (
    <EntryDone title={entryWords.mailTitle}>
      <p>{entryWords.mailSent(email)}</p>
      <p>{entryWords.mailNext}</p>
      <KeptMailsLink />
      <p>{entryWords.noMail}</p>
      <PlainButton onClick={onAgain}>{entryWords.again}</PlainButton>
    </EntryDone>
  )
}

/**
 * Asks for a name, an e-mail and a password, and for a phone number where people can reset a password by phone. Then shows that
 * a mail was sent.
 */
export default function RegisterScreen() {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [phone, setPhone] = useState('')
  const hasPhoneWay = useHasPhoneWay()
  const number = cleanPhone(phone)
  const body = { name: name.trim(), email: email.trim(), password, ...(number !== '' && { phone: number }) }
  const sending = useMutation({ mutationFn: () => post('/app/api/sign-up', body) })
  if (sending.isSuccess) {
    return (
      <SignInFrame name={frameWords.name}>
        <MailSent email={body.email} onAgain={sending.reset} />
      </SignInFrame>
    )
  }
  return (
    <SignInFrame name={frameWords.name}>
      <EntryForm
        title={entryWords.registerTitle}
        lead={entryWords.registerLead}
        sending={sending}
        action={entryWords.register}
        links={
          <>
            <Link href="/">{entryWords.haveAccount}</Link>
            <KeptMailsLink />
          </>
        }
      >
        <TextInput label={signInWords.name} autoComplete="name" required maxLength={100} {...bindText(name, setName)} />
        <EmailField value={email} onType={setEmail} />
        <NewPasswordField label={fieldWords.password} value={password} onType={setPassword} />
        {hasPhoneWay && (
          <PhoneField label={phoneWords.optional} description={phoneWords.optionalHelp} value={phone} onType={setPhone} />
        )}
      </EntryForm>
    </SignInFrame>
  )
}
