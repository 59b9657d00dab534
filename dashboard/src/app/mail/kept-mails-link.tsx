import { Link } from 'wouter'
import { entryWords } from '../words/sign-in.ts'
import { useKeptMails } from './use-kept-mails.ts'

/** Where this installation shows its mails, if it keeps them. */
export function KeptMailsLink() {
  const { data } = useKeptMails({ isWatched: false })
  return data ? <Link href="/mail">{entryWords.keptMails}</Link> : null
}
