import { Page } from '../../both/layout/page.tsx'
import { SessionList } from '../../both/sessions/session-list.tsx'
import { fieldWords } from '../../both/words.ts'

export default function SessionsScreen() {
  return (
    <Page title={fieldWords.sessions}>
      <SessionList face="/app/api" />
    </Page>
  )
}
