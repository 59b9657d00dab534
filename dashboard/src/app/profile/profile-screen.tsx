import { Link } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { RadioRow } from '../../both/form/radio-row.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { ColourSchemeChoice } from '../../both/look/colour-scheme-choice.tsx'
import { memberRoles } from '../../both/role-words.ts'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'
import { chooseLanguage } from '../../languages/choose-language.ts'
import { language, languageNames } from '../../languages/in-language.ts'
import { useMe } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { phoneWords } from '../words/phone.ts'
import { profileWords as words } from '../words/profile.ts'
import css from './profile.module.css'

const { en, fr, tw } = languageNames
const choices = { en: <span lang="en">{en}</span>, fr: <span lang="fr">{fr}</span>, tw: <span lang="tw">{tw}</span> }

/** Lets the person choose the language of the app. The browser keeps the choice. */
const LanguageChoice = () => (
  <>
    <RadioRow label={words.language} value={language} choices={choices} onChoose={chooseLanguage} />
    <p>
      {words.drafts} <Link href="/help">{words.readsWrong}</Link>
    </p>
  </>
)

export default function ProfileScreen() {
  const { person, role, account } = useMe()
  const factor = person.has_two_factor ? <State tone="done">{fieldWords.on}</State> : <State tone="wait">{words.off}</State>
  return (
    <Page title={frameWords.profile}>
      <Card>
        <p className={css.name}>{person.name}</p>
        <p>{person.email}</p>
        <p className="soft">{words.roleOf(memberRoles[role], account.name)}</p>
      </Card>
      <Section title={words.security}>
        <Rows label={words.security}>
          <Row href="/profile/second-factor" title={fieldWords.secondFactor} end={factor} />
          <Row href="/profile/password" title={fieldWords.password} detail={words.passwordDetail} />
          <Row href="/profile/phone" title={phoneWords.title} detail={words.phoneDetail} />
          <Row href="/profile/sessions" title={fieldWords.sessions} detail={words.sessionsDetail} />
        </Rows>
      </Section>
      <Section title={fieldWords.look}>
        <ColourSchemeChoice />
        <LanguageChoice />
      </Section>
      <SignOutButton face="/app/api" fullWidth />
    </Page>
  )
}
