import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiRefusal, post } from '../both/api/call-api.ts'
import { FindField } from '../both/find/find-field.tsx'
import { IncidentBanner } from '../both/layout/incident-banner.tsx'
import { Failure, Waiting } from '../both/layout/query-states.tsx'
import { ScreenBoundary } from '../both/layout/screen-boundary.tsx'
import { Shell } from '../both/layout/shell.tsx'
import { ShownScreen } from '../both/layout/shown-screen.tsx'
import { Confirmation } from '../both/sign-in/confirmation.tsx'
import type { GivenProof } from '../both/sign-in/confirmation-dialog.tsx'
import { EntryDone } from '../both/sign-in/entry-form.tsx'
import { wasSignedIn } from '../both/sign-in/leave.ts'
import { SignInForm } from '../both/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../both/sign-in/sign-in-words.ts'
import { SignOutButton } from '../both/sign-in/sign-out-button.tsx'
import { deskEntryScreens } from './entry-screens.tsx'
import { DataAge } from './frame/data-age.tsx'
import { useLive } from './frame/live.ts'
import { DeskMeContext, deskMeKey, type StaffMe, useDeskMeQuery } from './me.ts'
import { countsOf, useNeeds } from './needs/use-needs.ts'
import { useIncidents } from './notices/use-incidents.ts'
import { destinationsFor, screens } from './screens.ts'
import { DirectoryLink, directoryRefusal } from './sign-in/directory-link.tsx'
import { deskFindWords, frameWords } from './words/frame.ts'

/** Shows the incidents that resellers see now, so that staff who answer resellers know them. */
function DeskIncidents() {
  const { data } = useIncidents()
  return data ? <IncidentBanner incidents={data.pages[0]?.shown ?? []} /> : null
}

const Palette = lazy(() => import('./find/palette.tsx'))
const FirstFactorScreen = lazy(() => import('./you/first-factor-screen.tsx'))

function SignedIn({ me }: { readonly me: StaffMe }) {
  const queries = useQueryClient()
  useLive()
  const counts = countsOf(useNeeds().data ?? [])
  const confirm = async (body: GivenProof) => {
    await post('/desk/api/confirm', body)
    await queries.invalidateQueries({ queryKey: deskMeKey })
  }
  return (
    <DeskMeContext value={me}>
      <Shell
        name={frameWords.name}
        detail={`${me.person.name} · ${frameWords.roles[me.role]}`}
        label={frameWords.navigation}
        destinations={destinationsFor(me.permissions).map((place) => ({ ...place, waiting: counts.get(place.href) }))}
        top={<FindField hint={deskFindWords.hint} Palette={Palette} />}
        banner={
          <>
            <DeskIncidents />
            <DataAge />
          </>
        }
      >
        <ShownScreen screens={screens} />
      </Shell>
      <Confirmation person={me.person} face="/desk/api" confirm={confirm} />
    </DeskMeContext>
  )
}

/** Staff without a second factor see only the screen on which they set one up. */
function Entered({ me }: { readonly me: StaffMe }) {
  const queries = useQueryClient()
  // The screen stays until the person has kept the back-up codes, which are shown only once. Otherwise the app, which may read the
  // signed-in person again at any moment, would leave this screen.
  const [isSettingUp, setSettingUp] = useState(me.is_second_factor_missing)
  const onDone = () => void queries.invalidateQueries({ queryKey: deskMeKey }).then(() => setSettingUp(false))
  return isSettingUp || me.is_second_factor_missing ? <FirstFactorScreen me={me} onDone={onDone} /> : <SignedIn me={me} />
}

function NotStaff() {
  return (
    <SignInFrame name={frameWords.name}>
      <EntryDone title={frameWords.notStaffTitle}>
        <p>{frameWords.notStaff}</p>
        <a href="/app">{frameWords.toApp}</a>
        <SignOutButton face="/desk/api" />
      </EntryDone>
    </SignInFrame>
  )
}

/** Shows the screen of the address to signed-in staff, and the sign-in or a message to others. */
function Faced() {
  const { data: me, error, refetch } = useDeskMeQuery()
  if (me) return <Entered me={me} />
  if (error instanceof ApiRefusal && error.reason === 'not_staff') return <NotStaff />
  if (error && me === undefined) return <Failure error={error} onRetry={() => void refetch()} />
  if (me === undefined) return <Waiting />
  return (
    <SignInFrame name={frameWords.name} notice={directoryRefusal() ?? (wasSignedIn() ? signInWords.sessionEnded : undefined)}>
      <SignInForm
        face="/desk/api"
        onSignedIn={() => void refetch()}
        links={<Link href="/forgot-password">{frameWords.forgot}</Link>}
      />
      <DirectoryLink />
    </SignInFrame>
  )
}

export function Desk() {
  const [location] = useLocation()
  const Screen = deskEntryScreens[location]
  return (
    <ScreenBoundary address={location}>
      <Suspense fallback={<Waiting />}>{Screen ? <Screen /> : <Faced />}</Suspense>
    </ScreenBoundary>
  )
}
