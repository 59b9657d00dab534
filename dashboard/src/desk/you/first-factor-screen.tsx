import { fieldWords } from '../../both/field-words.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { SecondFactor } from '../../both/second-factor/second-factor.tsx'
import { secondFactorWords } from '../../both/second-factor/second-factor-words.ts'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'
import type { StaffMe } from '../me.ts'

type Props = { readonly me: StaffMe; readonly onDone: () => void }

/** The only screen for staff who have no second factor yet: it shows how to set one up. */
export default function FirstFactorScreen({ me: { person }, onDone }: Props) {
  return (
    <Page title={fieldWords.secondFactor}>
      <Card tone="gold">{secondFactorWords.needed}</Card>
      <Section title={person.email}>
        <SecondFactor isOn={person.has_two_factor} isRequired={person.has_two_factor} face="/desk/api" onChanged={onDone} />
      </Section>
      <SignOutButton face="/desk/api" />
    </Page>
  )
}
