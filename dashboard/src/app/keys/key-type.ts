import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import type { Tone } from '../../both/list/state.tsx'

export type DeveloperKeys = components['schemas']['DeveloperKeys']
export type TypedKey = DeveloperKeys['keys'][number]
export type KeyType = TypedKey['type']

export const keysKey = ['keys'] as const

/** The three types of keys, each with the account's key of that type, if there is one. */
export function useKeys() {
  return useQuery({
    queryKey: keysKey,
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/keys', { signal })),
  })
}

/** The state of a type of key: its key works, waits for approval, or does not exist. */
export function stateOf({ key }: TypedKey): { readonly state: 'active' | 'pending' | 'none'; readonly tone: Tone } {
  if (!key) return { state: 'none', tone: 'plain' }
  return key.status === 'active' ? { state: 'active', tone: 'done' } : { state: 'pending', tone: 'wait' }
}
