import { useQuery } from '@tanstack/react-query'
import { get } from '../../both/api/call-api.ts'

/** True when people can reset a password by phone here; false until the server has answered. */
export function useHasPhoneWay(): boolean {
  const { data } = useQuery({ queryKey: ['sign-in-ways'], queryFn: () => get('/app/api/sign-in/ways'), staleTime: 60_000 })
  return data?.phone === true
}
