import { Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { lazyOrNothing } from '../../both/layout/load-parts.ts'
import { PlainButton } from '../../both/sign-in/entry-form.tsx'
import { wasSignedIn } from '../../both/sign-in/leave.ts'
import css from '../../both/sign-in/sign-in.module.css'
import { SignInForm } from '../../both/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { chooseLanguage } from '../../languages/choose-language.ts'
import { language, languageNames, languages } from '../../languages/in-language.ts'
import { frameWords } from '../words/frame.ts'

const LostFactor = lazyOrNothing(() => import('../help/lost-factor.tsx'))

/** The sign-in. The address stays as it is, so that the sign-in leads to the screen that the person asked for. */
export default function SignedOut({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [location] = useLocation()
  return (
    <SignInFrame name={frameWords.name} notice={wasSignedIn() ? signInWords.sessionEnded : undefined}>
      <SignInForm
        key={location}
        face="/app/api"
        onSignedIn={onSignedIn}
        lost={
          <Suspense fallback={null}>
            <LostFactor />
          </Suspense>
        }
        links={
          <>
            <Link href="/register">{signInWords.register}</Link>
            <Link href="/forgot-password">{signInWords.forgot}</Link>
          </>
        }
      />
      <LanguageLinks />
    </SignInFrame>
  )
}

/** The other languages, for somebody who has not signed in yet. */
const LanguageLinks = () => (
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
