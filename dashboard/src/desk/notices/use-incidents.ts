import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'

export type Incident = components['schemas']['Incident']

/**
 * The incidents that resellers see above their screens, and earlier ones. The desk's own banner uses the first page of the same
 * answer.
 */
export function useIncidents() {
  return useInfiniteQuery({
    queryKey: ['notices', 'incidents'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/incidents', { params: { query: pageParam === undefined ? {} : { after: pageParam } }, signal }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    // An incident may begin or end by time alone, without any change on the server.
    refetchInterval: 60_000,
  })
}
