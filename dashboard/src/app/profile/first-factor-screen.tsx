import { fieldWords } from '../../both/field-words.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { SecondFactor } from '../../both/second-factor/second-factor.tsx'
import { secondFactorWords } from '../../both/second-factor/second-factor-words.ts'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'

type Props = { readonly email: string; readonly onDone: () => void }

/** The only screen for a person whose lost second factor was taken away: it shows how to set up a new one. */
export default function FirstFactorScreen({ email, onDone }: Props) {
  return (
    <Page title={fieldWords.secondFactor}>
      <Card tone="gold">{secondFactorWords.needed}</Card>
      <Section title={email}>
        <SecondFactor isOn={false} face="/app/api" onChanged={onDone} />
      </Section>
      <SignOutButton face="/app/api" />
    </Page>
  )
}
