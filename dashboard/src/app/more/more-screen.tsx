import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../shared/api/call-api.ts'
import { Page } from '../../shared/layout/page.tsx'
import { Row, Rows } from '../../shared/list/rows.tsx'
import { meKey, useMe } from '../me.ts'
import { destinations } from '../screens.ts'
import { frameWords } from '../words/frame.ts'

/** On a phone: every screen that the bottom bar has no place for, and the way out. */
export default function MoreScreen() {
  const queries = useQueryClient()
  const me = useMe()
  const signingOut = useMutation({
    mutationFn: () => answerOf(() => api.POST('/app/api/sign-out')),
    onSuccess: () => {
      queries.clear()
      queries.setQueryData(meKey, null)
    },
  })
  const others = destinations.filter(
    ({ isInBar, permission }) => !isInBar && (permission === undefined || me.permissions.includes(permission)),
  )
  return (
    <Page title={frameWords.more}>
      {others.length > 0 && (
        <Rows label={frameWords.more}>
          {others.map(({ href, title }) => (
            <Row key={href} href={href} title={title} />
          ))}
        </Rows>
      )}
      <Button variant="default" mt={16} fullWidth loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
        {frameWords.signOut}
      </Button>
    </Page>
  )
}
