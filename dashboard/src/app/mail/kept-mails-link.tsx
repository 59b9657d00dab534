import { Link } from 'wouter'
import { entryWords } from '../words/sign-in.ts'
import { useKeptMails } from './use-kept-mails.ts'

/** A link to the mails that this installation shows instead of sending. Nothing, where mails are sent. */
export function KeptMailsLink() {
  const { data } = useKeptMails({ isWatched: false })
  return data ? <Link href="/mail">{entryWords.keptMails}</Link> : null
}
