import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { get, type Schema } from '../both/api/call-api.ts'
import { readSignedInPerson } from '../both/sign-in/read-signed-in-person.ts'

export type StaffMe = Schema<'StaffMe'>
export type StaffPermission = StaffMe['permissions'][number]

export const deskMeKey = ['desk-me'] as const

/** The person who is signed in at the desk; null when nobody is. */
export function useDeskMeQuery() {
  return useQuery({
    queryKey: deskMeKey,
    queryFn: ({ signal }) => readSignedInPerson<StaffMe>(() => get('/desk/api/me', {}, signal)),
    staleTime: 60_000,
    // Read again every 5 s after a failure, because a browser does not always notice that its connection is back.
    refetchInterval: ({ state }) => (state.status === 'error' && state.data === undefined ? 5_000 : false),
  })
}

export const DeskMeContext = createContext<StaffMe | undefined>(undefined)

/** The signed-in person, for screens that need one. */
export function useDeskMe(): StaffMe {
  const me = useContext(DeskMeContext)
  if (!me) throw new Error('this screen stands outside the sign-in')
  return me
}

/** True when the signed-in person has this permission. Screens hide what the person may not do. */
export function useMay(permission: StaffPermission): boolean {
  return useDeskMe().permissions.includes(permission)
}
