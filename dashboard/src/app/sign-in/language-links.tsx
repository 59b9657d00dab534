import { PlainButton } from '../../both/sign-in/entry-form.tsx'
import css from '../../both/sign-in/sign-in.module.css'
import { chooseLanguage } from '../../languages/choose-language.ts'
import { language, languageNames, languages } from '../../languages/in-language.ts'

/** The other languages, for somebody who has not signed in yet. */
export const LanguageLinks = () => (
  <div className={css.links}>
    {languages.map(
      (each) =>
        each !== language && (
          <PlainButton key={each} onClick={() => chooseLanguage(each)}>
            <span lang={each}>{languageNames[each]}</span>
          </PlainButton>
        ),
    )}
  </div>
)
