import { QueryClient } from '@tanstack/react-query'
import { NoAnswer } from './call-api.ts'

/** The answers that screens share. A refusal or a late answer is shown and not tried again; an unreached server is tried twice more. */
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
