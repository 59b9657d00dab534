import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { ColourSchemeChoice } from '../../both/look/colour-scheme-choice.tsx'
import { SecondFactor } from '../../both/second-factor/second-factor.tsx'
import { secondFactorWords } from '../../both/second-factor/second-factor-words.ts'
import { SessionList } from '../../both/sessions/session-list.tsx'
import { sessionWords } from '../../both/sessions/session-words.ts'
import { ChangePasswordForm } from '../../both/sign-in/change-password-form.tsx'
import { Confirmation } from '../../both/sign-in/confirmation.tsx'
import type { GivenProof } from '../../both/sign-in/confirmation-dialog.tsx'
import { deskSecondFactorCalls, deskSessionCalls } from '../desk-calls.ts'
import { deskMeKey, type StaffMe } from '../use-desk-me.ts'
import { deskWords } from '../words.ts'
import { SignOutButton } from './sign-out-button.tsx'

/** Somebody of the staff: who it is, and how the person signs in. Without a second factor, only that. */
export default function YouScreen({ me }: { readonly me: StaffMe }) {
  const queries = useQueryClient()
  // Kept until the back-up codes are: they are shown once, and who is signed in may be asked anew at any moment.
  const [isSettingUp, setSettingUp] = useState(me.is_second_factor_missing)
  const askAgain = () => queries.invalidateQueries({ queryKey: deskMeKey })
  const confirm = async (body: GivenProof) => {
    await answerOf(() => api.POST('/desk/api/confirm', { body }))
    await askAgain()
  }
  const { person, role } = me
  const factor = (
    <SecondFactor
      isOn={person.has_two_factor}
      isRequired={person.has_two_factor}
      calls={deskSecondFactorCalls}
      onChanged={() => void askAgain().then(() => setSettingUp(false))}
    />
  )
  if (isSettingUp) {
    return (
      <Page title={secondFactorWords.title}>
        <Card tone="gold">{secondFactorWords.needed}</Card>
        <Section title={person.email}>{factor}</Section>
        <SignOutButton />
      </Page>
    )
  }
  return (
    <Page title={person.name} end={deskWords.roles[role]}>
      <p>{person.email}</p>
      <Section title={sessionWords.title}>
        <SessionList calls={deskSessionCalls} />
      </Section>
      <Section title={secondFactorWords.title}>{factor}</Section>
      <Section title={deskWords.password}>
        <ChangePasswordForm change={(body) => answerOf(() => api.POST('/desk/api/change-password', { body }))} />
      </Section>
      <Section title={deskWords.look}>
        <ColourSchemeChoice />
        <SignOutButton />
      </Section>
      <Confirmation hasTwoFactor={person.has_two_factor} confirm={confirm} />
    </Page>
  )
}
