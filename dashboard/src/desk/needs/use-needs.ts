import { useQuery } from '@tanstack/react-query'
import { api, requestData, type Schema } from '../../both/api/call-api.ts'

export type NeedKind = Schema<'DeskNeeds'>['needs'][number]

/** Work that waits for the signed-in person, shown in the rail and on the first screen. */
export function useNeeds() {
  return useQuery({
    queryKey: ['needs'],
    queryFn: async ({ signal }) => (await requestData(() => api.GET('/desk/api/needs', { signal }))).needs,
    // Read again each minute, because some things begin to wait when a time is over, without any change on the server.
    refetchInterval: 60_000,
  })
}

/** Screens that are not in the rail, each with the screen of the rail that counts what waits there. */
const countedUnder: Readonly<Record<string, string>> = { 'reports-of-orders': 'orders', problems: 'accounts' }

/** The number of waiting things at each destination of the rail. The first destination shows the sum of all. */
export function countsOf(needs: readonly NeedKind[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path, count } of needs) {
    const [, named = ''] = path.split(/[/?]/)
    const first = countedUnder[named] ?? named
    for (const place of ['/', `/${first}`]) counts.set(place, (counts.get(place) ?? 0) + count)
  }
  return counts
}
