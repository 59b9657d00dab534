import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiRefusal, post } from '../both/api/call-api.ts'
import { IncidentBanner } from '../both/layout/incident-banner.tsx'
import { lazyOrNothing, once } from '../both/layout/load-parts.ts'
import { Card } from '../both/layout/page.tsx'
import { Failure, FailureHelpContext, titleOfFailure, Waiting } from '../both/layout/query-states.tsx'
import { ScreenBoundary } from '../both/layout/screen-boundary.tsx'
import { Shell } from '../both/layout/shell.tsx'
import { ShownScreen } from '../both/layout/shown-screen.tsx'
import { roleWords } from '../both/role-words.ts'
import { Confirmation } from '../both/sign-in/confirmation.tsx'
import type { GivenProof } from '../both/sign-in/confirmation-dialog.tsx'
import { SignInFrame } from '../both/sign-in/sign-in-frame.tsx'
import { sharedWords } from '../both/words.ts'
import { useHasKeptPurchases } from './buy/has-kept-purchases.ts'
import { loadWithSheet } from './load-screens-sheet.ts'
import { type Me, MeContext, meKey, useMeQuery } from './me.ts'
import { destinationsFor, screens } from './screens.ts'
import { type EntryProps, entryScreens } from './sign-in/entry-screens.ts'
import { frameWords } from './words/frame.ts'

export const loadSignedOut = once(() => import('./sign-in/signed-out.tsx'))
const SignedOut = lazy(loadSignedOut)
const UnknownBanner = lazy(() => loadWithSheet(() => import('./buy/unknown-banner.tsx')))
const ViewBanner = lazy(() => loadWithSheet(() => import('./view/view-banner.tsx')))
const FactorLostBanner = lazy(() => loadWithSheet(() => import('./profile/factor-lost-banner.tsx')))
const FirstFactorScreen = lazy(() => loadWithSheet(() => import('./profile/first-factor-screen.tsx')))
const FailureHelp = lazyOrNothing(() => import('./help/failure-help.tsx'))
const FindKey = lazyOrNothing(() => import('./find/find-key.tsx'))
/** A phone has no Ctrl-K, so it does not load the search. */
const isWide = matchMedia('(min-width: 62em)').matches
const NotMember = lazy(() => import('./sign-in/not-member.tsx'))

function SignedIn({ me }: { readonly me: Me }) {
  const queries = useQueryClient()
  const hasKeptPurchases = useHasKeptPurchases()
  const confirm = async (body: GivenProof) => {
    await post('/app/api/confirm', body)
    await queries.invalidateQueries({ queryKey: meKey })
  }
  return (
    <MeContext value={me}>
      <Shell
        name={me.account.name}
        detail={roleWords(me.account)}
        label={frameWords.navigation}
        destinations={destinationsFor(me)}
        banner={
          <>
            {me.view && (
              <Suspense>
                <ViewBanner endsAt={me.view.ends_at} />
              </Suspense>
            )}
            {me.factor_lost_at !== null && (
              <Suspense>
                <FactorLostBanner lostAt={me.factor_lost_at} />
              </Suspense>
            )}
            {hasKeptPurchases && (
              <Suspense>
                <UnknownBanner />
              </Suspense>
            )}
            {isWide && (
              <Suspense>
                <FindKey />
              </Suspense>
            )}
            <IncidentBanner incidents={me.incidents} />
            {me.account.status === 'suspended' && (
              <aside>
                <Card tone="bad">{frameWords.suspended}</Card>
              </aside>
            )}
          </>
        }
      >
        <ShownScreen screens={screens} />
      </Shell>
      <Confirmation person={me.person} face="/app/api" confirm={confirm} />
    </MeContext>
  )
}

/** A person whose lost second factor was removed must first set up a new one, and save its back-up codes. */
function SafelySignedIn({ me }: { readonly me: Me }) {
  const queries = useQueryClient()
  // Stays true while the back-up codes are shown. By then, the person already has the new factor.
  const [isSettingUp, setSettingUp] = useState(me.is_second_factor_missing)
  const onDone = () => void queries.invalidateQueries({ queryKey: meKey }).then(() => setSettingUp(false))
  return isSettingUp || me.is_second_factor_missing ? (
    <FirstFactorScreen email={me.person.email} onDone={onDone} />
  ) : (
    <SignedIn me={me} />
  )
}

/** Shows a screen that needs no session, such as one that a link in a mail opens. */
function Entry({ Screen }: { readonly Screen: ComponentType<EntryProps> }) {
  const queries = useQueryClient()
  // The HTML page has preloaded `/me` before the sign-in. Reading it here uses that answer up, so that the read after the
  // sign-in goes to the server.
  useMeQuery()
  const [, navigate] = useLocation()
  const onSignedIn = () => {
    // Removes answers that were read for another person who was signed in here before.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })
    void queries.refetchQueries({ queryKey: meKey }).then(() => navigate('/', { replace: true }))
  }
  return <Screen onSignedIn={onSignedIn} />
}

/** Shows the screen of the address to a signed-in member of an account, and the sign-in or a message to others. */
function Faced() {
  const { data: me, error, refetch } = useMeQuery()
  if (me) return <SafelySignedIn me={me} />
  if (error instanceof ApiRefusal && error.reason === 'not_a_member') return <NotMember />
  if (error && me === undefined) {
    return (
      <SignInFrame name={frameWords.name}>
        <Stack gap={16}>
          <h1>{titleOfFailure(error, sharedWords.refused)}</h1>
          <Failure error={error} onRetry={() => void refetch()} />
        </Stack>
      </SignInFrame>
    )
  }
  return me === null ? <SignedOut onSignedIn={() => void refetch()} /> : <Waiting />
}

export function App() {
  const [location] = useLocation()
  const Screen = entryScreens[location]
  return (
    <FailureHelpContext value={FailureHelp}>
      <ScreenBoundary address={location}>
        <Suspense fallback={<Waiting />}>{Screen ? <Entry Screen={Screen} /> : <Faced />}</Suspense>
      </ScreenBoundary>
    </FailureHelpContext>
  )
}
