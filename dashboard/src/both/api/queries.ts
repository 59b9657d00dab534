import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiRefusal, NoAnswer } from './call-api.ts'

const isSessionEnded = (error: unknown): boolean => error instanceof ApiRefusal && error.reason === 'not_signed_in'

/**
 * The answers that screens share. A refusal is shown and not tried again; a lost connection is tried twice more. When a session
 * has ended elsewhere, any refused call leads to `onSessionEnd`.
 */
export function openQueries(onSessionEnd: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionEnded(error)) onSessionEnd()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => error instanceof NoAnswer && failures < 2,
        staleTime: 15_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // Without a connection a change fails at once. It must not be sent later without the person's knowing.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
