import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ApiRefusal, get } from '../../both/api/call-api.ts'
import { entryWords } from '../words/sign-in.ts'

/** A link to the mails that this installation shows instead of sending. Nothing, where mails are sent. */
export function KeptMailsLink() {
  const { data } = useKeptMails({ isWatched: false })
  return data ? <Link href="/mail">{entryWords.keptMails}</Link> : null
}

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
