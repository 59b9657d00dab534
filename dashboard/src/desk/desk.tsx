import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiRefusal } from '../both/api/call-api.ts'
import { Failure, Waiting } from '../both/layout/wait.tsx'
import { EntryDone } from '../both/sign-in/entry-form.tsx'
import { wasSignedIn } from '../both/sign-in/leave.ts'
import { SignInForm } from '../both/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../both/sign-in/sign-in-words.ts'
import { deskSignInCalls } from './desk-calls.ts'
import { deskEntryScreens } from './entry-screens.tsx'
import { useDeskMe } from './use-desk-me.ts'
import { deskWords } from './words.ts'
import { SignOutButton } from './you/sign-out-button.tsx'

const YouScreen = lazy(() => import('./you/you-screen.tsx'))

function NotStaff() {
  return (
    <SignInFrame name={deskWords.name}>
      <EntryDone title={deskWords.notStaffTitle}>
        <p>{deskWords.notStaff}</p>
        <a href="/app">{deskWords.toApp}</a>
        <SignOutButton />
      </EntryDone>
    </SignInFrame>
  )
}

/** What the address shows to whoever is here. */
function Faced() {
  const { data: me, error, refetch } = useDeskMe()
  if (me) return <YouScreen me={me} />
  if (error instanceof ApiRefusal && error.reason === 'not_staff') return <NotStaff />
  if (error && me === undefined) return <Failure error={error} onRetry={() => void refetch()} />
  if (me === undefined) return <Waiting />
  return (
    <SignInFrame name={deskWords.name} notice={wasSignedIn() ? signInWords.sessionEnded : undefined}>
      <SignInForm
        calls={deskSignInCalls}
        onSignedIn={() => void refetch()}
        links={<Link href="/forgot-password">{deskWords.forgot}</Link>}
      />
    </SignInFrame>
  )
}

/** The operator's desk: the sign-in for who is not signed in, the screens for who is. */
export function Desk() {
  const [location] = useLocation()
  const Screen = deskEntryScreens[location]
  return <Suspense fallback={<Waiting />}>{Screen ? <Screen /> : <Faced />}</Suspense>
}
