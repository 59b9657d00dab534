import './look/mantine.css'
import './look/look.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { NoAnswer, setSessionCheck } from './api/call-api.ts'
import { colourVariables, theme } from './look/theme.tsx'
import { isSigningOut } from './sign-in/leave.ts'

/** Removes the first picture, which the HTML page shows until the script has drawn the app. */
function Started({ children }: { readonly children: ReactNode }) {
  useLayoutEffect(() => document.querySelector('.first-paint')?.remove(), [])
  return children
}

/**
 * Makes the check for a call that was answered "not signed in". The session may only have been renewed since the call was sent, as
 * when a second factor is switched on. So the check reads once more who is signed in. If nobody is, it deletes all answers that the
 * app has kept, and the app shows the sign-in.
 */
function makeSessionCheck(meKey: readonly string[], queries: QueryClient): (path: string) => Promise<boolean> {
  let running: Promise<boolean> | undefined
  async function check(): Promise<boolean> {
    await queries.refetchQueries({ queryKey: meKey })
    if (queries.getQueryData(meKey)) return true
    void queries.cancelQueries()
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })
    return false
  }
  return async (path) => {
    // Without a signed-in person the sign-in is shown already. After a sign-out the page is about to be loaded again.
    if (!queries.getQueryData(meKey) || isSigningOut) return false
    // The check's own read must not wait for the check.
    if (running && path.endsWith('/me')) return false
    running ??= check().finally(() => {
      running = undefined
    })
    return running
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
  setSessionCheck(makeSessionCheck(meKey, queries))
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
