import { useQuery } from '@tanstack/react-query'
import { ApiRefusal, get } from '../../both/api/call-api.ts'

const pollMilliseconds = 2_000

/**
 * The mails that an installation with the simulator keeps; null where mails are sent.
 * @param isWatched whether to read them again and again
 */
export function useKeptMails({ isWatched }: { readonly isWatched: boolean }) {
  return useQuery({
    queryKey: ['kept-mails'],
    queryFn: async ({ signal }) => {
      try {
        return (await get('/app/api/mails', {}, signal)).mails
      } catch (error) {
        if (error instanceof ApiRefusal && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: isWatched ? pollMilliseconds : false,
  })
}
