import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'

export type NeedKind = components['schemas']['DeskNeeds']['needs'][number]

/** What waits for the person who is signed in. The rail and the first screen share it. */
export function useNeeds() {
  return useQuery({
    queryKey: ['desk', 'needs'],
    queryFn: async ({ signal }) => (await answerOf(() => api.GET('/desk/api/needs', { signal }))).needs,
    // Some things come to wait by time alone.
    refetchInterval: 60_000,
  })
}

/** A screen that is not in the rail counts at the one from which it is opened. */
const standsUnder: Readonly<Record<string, string>> = { 'reports-of-orders': 'orders' }

/** How many things wait at each destination of the rail; at the first one all of them. */
export function countsOf(needs: readonly NeedKind[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path, count } of needs) {
    const [, named = ''] = path.split(/[/?]/)
    const first = standsUnder[named] ?? named
    for (const place of ['/', `/${first}`]) counts.set(place, (counts.get(place) ?? 0) + count)
  }
  return counts
}
