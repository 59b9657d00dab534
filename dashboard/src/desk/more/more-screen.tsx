import { fieldWords } from '../../both/field-words.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { WaitingCount } from '../../both/layout/shell.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'
import { useDeskMe } from '../me.ts'
import { countsOf, useNeeds } from '../needs/use-needs.ts'
import { type DeskDestination, destinationsFor } from '../screens.ts'
import { frameWords } from '../words/frame.ts'

/** On a phone: the destinations that are not in the bottom bar, in their groups, and the sign-out. */
export default function MoreScreen() {
  const { permissions } = useDeskMe()
  const counts = countsOf(useNeeds().data ?? [])
  const groups = Map.groupBy<string, DeskDestination>(
    destinationsFor(permissions).filter(({ isInBar }) => !isInBar),
    ({ group }) => group ?? frameWords.groups.work,
  )
  return (
    <Page title={fieldWords.more}>
      {[...groups].map(([group, destinations]) => (
        <Section key={group} title={group}>
          <Rows label={group}>
            {destinations.map(({ href, title }) => (
              <Row key={href} href={href} title={title} end={<WaitingCount count={counts.get(href)} />} />
            ))}
          </Rows>
        </Section>
      ))}
      <SignOutButton face="/desk/api" />
    </Page>
  )
}
