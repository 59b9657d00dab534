import { useQuery } from '@tanstack/react-query'
import { ApiRefusal, answerOf, api } from '../both/api/call-api.ts'
import type { components } from '../both/api/dashboard-api.d.ts'
import { rememberPerson } from '../both/sign-in/leave.ts'

export type StaffMe = components['schemas']['StaffMe']

export const deskMeKey = ['desk-me'] as const

/** Who is signed in at the desk; null when nobody is. */
export function useDeskMe() {
  return useQuery({
    queryKey: deskMeKey,
    queryFn: async ({ signal }): Promise<StaffMe | null> => {
      try {
        const me = await answerOf(() => api.GET('/desk/api/me', { signal }))
        rememberPerson(me.person.person_id)
        return me
      } catch (failure) {
        if (failure instanceof ApiRefusal && failure.status === 401) return null
        throw failure
      }
    },
    staleTime: 60_000,
  })
}
