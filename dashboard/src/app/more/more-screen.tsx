import { fieldWords } from '../../both/field-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'
import { useMe } from '../me.ts'
import { destinationsFor } from '../screens.ts'

/** On a phone: every screen that the bottom bar has no place for, and the sign-out. */
export default function MoreScreen() {
  const me = useMe()
  const others = destinationsFor(me).filter(({ isInBar }) => !isInBar)
  return (
    <Page title={fieldWords.more}>
      {others.length > 0 && (
        <Rows label={fieldWords.more}>
          {others.map(({ href, title }) => (
            <Row key={href} href={href} title={title} />
          ))}
        </Rows>
      )}
      {me.view === null && <SignOutButton face="/app/api" mt={16} fullWidth />}
    </Page>
  )
}
