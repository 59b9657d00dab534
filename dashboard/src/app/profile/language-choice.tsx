import { Link } from 'wouter'
import { RadioRow } from '../../both/form/radio-row.tsx'
import { chooseLanguage } from '../../languages/choose-language.ts'
import { language, languageNames } from '../../languages/in-language.ts'
import { profileWords as words } from '../words/profile.ts'

const { en, fr, tw } = languageNames
const choices = { en: <span lang="en">{en}</span>, fr: <span lang="fr">{fr}</span>, tw: <span lang="tw">{tw}</span> }

/** Lets the person choose the language of the app. The browser keeps the choice. */
export const LanguageChoice = () => (
  <>
    <RadioRow label={words.language} value={language} choices={choices} onChoose={chooseLanguage} />
    <p>
      {words.drafts} <Link href="/help">{words.readsWrong}</Link>
    </p>
  </>
)
