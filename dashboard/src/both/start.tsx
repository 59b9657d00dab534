import './look/mantine.css'
import './look/look.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { answerSessionEnds, NoAnswer } from './api/call-api.ts'
import { colourVariables, theme } from './look/theme.tsx'
import { isLeaving } from './sign-in/leave.ts'

/** Removes the first picture, which the HTML page shows until the script has drawn the app. */
function Started({ children }: { readonly children: ReactNode }) {
  useLayoutEffect(() => document.querySelector('.first-paint')?.remove(), [])
  return children
}

/**
 * What is done when a call was answered that nobody is signed in. A call that was sent just before the session was renewed, as a
 * second factor does it, is answered so too, so the server is asked once more who is signed in.
 */
function forgetEnded(meKey: readonly string[], queries: QueryClient): () => Promise<void> {
  let isAsking = false
  return async () => {
    // Nobody was signed in, so the person is at the sign-in already; or the person is signing out, and the page is left at once.
    if (isAsking || !queries.getQueryData(meKey) || isLeaving) return
    isAsking = true
    await queries.refetchQueries({ queryKey: meKey })
    isAsking = false
    if (queries.getQueryData(meKey) !== null) return
    // The session has ended: everything on the screens is forgotten, and the app shows the sign-in.
    void queries.cancelQueries()
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })
  }
}

/**
 * Starts one of the two apps.
 *
 * @param base the beginning of its addresses: `/app` or `/desk`
 * @param meKey the key of the query for the signed-in person, which is read again when a session has ended
 * @param queries has the answers that were requested before the start
 */
export function startApp(base: string, meKey: readonly string[], app: ReactNode, queries: QueryClient): void {
  const root = document.querySelector('#root')
  if (!root) throw new Error('the page has no place for the app')
  answerSessionEnds(forgetEnded(meKey, queries))
  const shown = (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={colourVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Router base={base}>
            <Started>{app}</Started>
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
  // In a transition, React shows a screen whose code is loaded without showing a waiting state first.
  startTransition(() => createRoot(root).render(shown))
}

/**
 * Makes the client for the answers that screens share. It does not retry a refusal or a late answer; it tries an unreached
 * server twice more.
 */
export function openQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => error instanceof NoAnswer && error.reason === 'unreached' && failures < 2,
        staleTime: 15_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // Without a connection a change fails at once. It must not be sent later without the person's knowing.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
