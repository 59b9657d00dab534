import { Page } from '../../shared/layout/page.tsx'
import { SessionList } from '../../shared/sessions/session-list.tsx'
import { sessionWords } from '../../shared/sessions/session-words.ts'
import { sessionCalls } from '../person-calls.ts'

/** Where the person is signed in. */
export default function SessionsScreen() {
  return (
    <Page title={sessionWords.title}>
      <SessionList calls={sessionCalls} />
    </Page>
  )
}
