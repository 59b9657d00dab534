import { useQuery } from '@tanstack/react-query'
import { ApiRefusal, answerOf, api } from '../shared/api/call-api.ts'
import type { components } from '../shared/api/dashboard-api.d.ts'
import { Page } from '../shared/layout/page.tsx'
import { Failure, Waiting } from '../shared/layout/wait.tsx'
import { SignInForm } from '../shared/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../shared/sign-in/sign-in-frame.tsx'

type StaffMe = components['schemas']['StaffMe']

export const deskMeKey = ['desk-me'] as const

/** The operator's desk: the sign-in for who is not signed in, the screens for who is. */
export function Desk() {
  const {
    data: me,
    error,
    refetch,
  } = useQuery({
    queryKey: deskMeKey,
    queryFn: async ({ signal }): Promise<StaffMe | null> => {
      try {
        return await answerOf(() => api.GET('/desk/api/me', { signal }))
      } catch (failure) {
        if (failure instanceof ApiRefusal && failure.status === 401) return null
        throw failure
      }
    },
  })
  if (me) return <Page title={me.person.name}>{null}</Page>
  if (error && me === undefined) return <Failure error={error} onRetry={() => void refetch()} />
  if (me === undefined) return <Waiting />
  return (
    <SignInFrame name="Makola Desk">
      <SignInForm
        calls={{
          signIn: (body) => answerOf(() => api.POST('/desk/api/sign-in', { body })),
          giveSecondFactor: (body) => answerOf(() => api.POST('/desk/api/second-factor', { body })),
        }}
        onSignedIn={() => void refetch()}
      />
    </SignInFrame>
  )
}
