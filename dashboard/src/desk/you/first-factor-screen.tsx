import { Card, Page, Section } from '../../both/layout/page.tsx'
import { SecondFactor } from '../../both/second-factor/second-factor.tsx'
import { secondFactorWords } from '../../both/second-factor/second-factor-words.ts'
import { deskSecondFactorCalls } from '../desk-calls.ts'
import type { StaffMe } from '../me.ts'
import { SignOutButton } from './sign-out-button.tsx'

type Props = { readonly me: StaffMe; readonly onDone: () => void }

/** What somebody of the staff sees who has no second factor yet: how to set one up, and nothing else. */
export default function FirstFactorScreen({ me: { person }, onDone }: Props) {
  return (
    <Page title={secondFactorWords.title}>
      <Card tone="gold">{secondFactorWords.needed}</Card>
      <Section title={person.email}>
        <SecondFactor
          isOn={person.has_two_factor}
          isRequired={person.has_two_factor}
          calls={deskSecondFactorCalls}
          onChanged={onDone}
        />
      </Section>
      <SignOutButton />
    </Page>
  )
}
