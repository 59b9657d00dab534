import type { AnswerOf } from '../../both/api/call-api.ts'
import { usePages, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { PagedRows } from '../../both/list/paged-rows.tsx'
import { Row } from '../../both/list/rows.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { noticeStates } from '../../both/notice-states.ts'
import { useMe } from '../me.ts'
import { noticeWords, pushWords } from '../words/notices.ts'
import { ChoicesForm } from './choices-form.tsx'
import css from './notices.module.css'
import { PushCard } from './push-card.tsx'

type Notice = AnswerOf<'/app/api/notices'>['notices'][number]

function NoticeRow({ notice: { subject, text, channel, state, created_at: at } }: { readonly notice: Notice }) {
  return (
    <Row
      title={subject}
      detail={
        <>
          <span>{relativeMoment(at)}</span>
          <span className={css.text}>{text}</span>
        </>
      }
      end={
        <>
          <span>{channel === 'sms' ? fieldWords.sms : noticeWords.mail}</span>
          <StateOf {...noticeStates[state]} />
        </>
      }
    />
  )
}

export default function NoticesScreen() {
  const { view } = useMe()
  const choices = useRead('notice-choices', '/app/api/notices/choices')
  const notices = usePages('notices', '/app/api/notices', {})
  return (
    <Page title={fieldWords.notices} end={<a href="#choices">{noticeWords.choices}</a>}>
      <Section title={noticeWords.sent}>
        <PagedRows
          query={notices}
          itemsOf={({ notices }) => notices}
          keyOf={({ notice_id: id }) => id}
          label={noticeWords.sent}
          more={noticeWords.more}
          empty={{ title: noticeWords.none, next: noticeWords.noneNext }}
          row={(notice) => <NoticeRow notice={notice} />}
        />
      </Section>
      {/* They wait for the list above, which would otherwise move them. */}
      {!notices.isPending && (
        <>
          {view === null && (
            <Section title={pushWords.title}>
              <PushCard />
            </Section>
          )}
          <div id="choices">
            <Section title={noticeWords.choices}>
              <Card>
                <QueryAnswer query={choices} lines={1} height={640}>
                  {(found) => <ChoicesForm choices={found} />}
                </QueryAnswer>
              </Card>
            </Section>
          </div>
        </>
      )}
    </Page>
  )
}
