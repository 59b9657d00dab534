import { Page } from '../../both/layout/page.tsx'
import { SessionList } from '../../both/sessions/session-list.tsx'
import { sessionWords } from '../../both/sessions/session-words.ts'

export default function SessionsScreen() {
  return (
    <Page title={sessionWords.title}>
      <SessionList face="/app/api" />
    </Page>
  )
}
