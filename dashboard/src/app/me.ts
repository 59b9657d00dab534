import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { get, type Schema } from '../both/api/call-api.ts'
import { readSignedInPerson } from '../both/sign-in/read-signed-in-person.ts'

export type Me = Schema<'MemberMe'>
export type Permission = Me['permissions'][number]

export const meKey = ['me'] as const

/** The query for the signed-in person. Its data is null when nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => readSignedInPerson<Me>(() => get('/app/api/me', {}, signal)),
  staleTime: 60_000,
})

export function useMeQuery() {
  return useQuery({
    ...meQuery,
    // Read again each minute, so that a new message of the operator appears within a minute. When the first read fails, it
    // is tried every 5 s, because a browser does not always notice that its connection is back.
    refetchInterval: ({ state }) => (state.data !== undefined ? 60_000 : state.status === 'error' ? 5_000 : false),
  })
}

export const MeContext = createContext<Me | undefined>(undefined)

/** The signed-in person, for screens that need one. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('this screen stands outside the sign-in')
  return me
}

/** True when the signed-in person has this permission. Screens hide what the person may not do. */
export function useMay(permission: Permission): boolean {
  return useMe().permissions.includes(permission)
}
