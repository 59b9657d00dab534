import { useQueryClient } from '@tanstack/react-query'
import { fieldWords } from '../../both/field-words.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { ColourSchemeChoice } from '../../both/look/colour-scheme-choice.tsx'
import { SecondFactor } from '../../both/second-factor/second-factor.tsx'
import { SessionList } from '../../both/sessions/session-list.tsx'
import { ChangePasswordForm } from '../../both/sign-in/change-password-form.tsx'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'
import { deskMeKey, useDeskMe } from '../me.ts'
import { frameWords } from '../words/frame.ts'

export default function YouScreen() {
  const queries = useQueryClient()
  const { person, role } = useDeskMe()
  return (
    <Page title={person.name} end={frameWords.roles[role]}>
      <p>{person.email}</p>
      <Section title={fieldWords.sessions}>
        <SessionList face="/desk/api" />
      </Section>
      <Section title={fieldWords.secondFactor}>
        <SecondFactor
          isOn={person.has_two_factor}
          isRequired={person.has_two_factor}
          face="/desk/api"
          onChanged={() => void queries.invalidateQueries({ queryKey: deskMeKey })}
        />
      </Section>
      <Section title={fieldWords.password}>
        <ChangePasswordForm face="/desk/api" />
      </Section>
      <Section title={fieldWords.look}>
        <ColourSchemeChoice />
        <SignOutButton face="/desk/api" />
      </Section>
    </Page>
  )
}
