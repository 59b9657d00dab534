import { Button } from '@mantine/core'
import { fieldWords } from '../../both/field-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { useMe } from '../me.ts'
import { destinationsFor } from '../screens.ts'
import { useSignOut } from '../sign-in/use-sign-out.ts'
import { frameWords } from '../words/frame.ts'

/** On a phone: every screen that the bottom bar has no place for, and the sign-out. */
export default function MoreScreen() {
  const me = useMe()
  const signingOut = useSignOut()
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
      {me.view === null && (
        <Button variant="default" mt={16} fullWidth loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
          {frameWords.signOut}
        </Button>
      )}
    </Page>
  )
}
