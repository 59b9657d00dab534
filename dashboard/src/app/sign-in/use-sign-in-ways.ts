import { useQuery } from '@tanstack/react-query'
import { get } from '../../both/api/call-api.ts'

/** Whether a phone number can be a second way to a new password here; false while that is not known. */
export function useHasPhoneWay(): boolean {
  const { data } = useQuery({ queryKey: ['sign-in-ways'], queryFn: () => get('/app/api/sign-in/ways'), staleTime: 60_000 })
  return data?.phone === true
}
