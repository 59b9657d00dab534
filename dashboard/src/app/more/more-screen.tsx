import { fieldWords } from '../../both/field-words.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'
import { useMe } from '../me.ts'
import { destinationsFor } from '../screens.ts'
import { frameWords } from '../words/frame.ts'
import { moreWords } from '../words/more.ts'
import css from './more.module.css'
import { MoreIcon } from './more-icons.tsx'

/** On a phone: the destinations that are not in the bottom bar, in their groups, and the sign-out. */
export default function MoreScreen() {
  const me = useMe()
  const others = destinationsFor(me).filter(({ isInBar }) => !isInBar)
  return (
    <Page title={fieldWords.more}>
      {Object.values(frameWords.groups).map((group) => (
        <Section key={group} title={group}>
          <Rows label={group}>
            {others
              .filter((each) => each.group === group)
              .map(({ href, title }) => (
                <Row key={href} href={href} start={<MoreIcon href={href} />} title={title} detail={moreWords[href]} />
              ))}
          </Rows>
        </Section>
      ))}
      {me.view === null && (
        <div className={css.out}>
          <SignOutButton face="/app/api" fullWidth />
        </div>
      )}
    </Page>
  )
}
