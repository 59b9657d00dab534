import { fieldWords } from '../../both/field-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { SessionList } from '../../both/sessions/session-list.tsx'

export default function SessionsScreen() {
  return (
    <Page title={fieldWords.sessions}>
      <SessionList face="/app/api" />
    </Page>
  )
}
