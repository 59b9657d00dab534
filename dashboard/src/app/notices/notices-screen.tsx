import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { noticeStates, noticeWords } from '../words/notices.ts'
import { ChoicesForm } from './choices-form.tsx'
import css from './notices.module.css'

function SentNotices() {
  const query = useInfiniteQuery({
    queryKey: ['notices'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/app/api/notices', { params: { query: pageParam === undefined ? {} : { after: pageParam } }, signal }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <MorePages query={query} more={noticeWords.more}>
      {(pages) => {
        const notices = pages.flatMap((page) => page.notices)
        if (notices.length === 0) return <Empty title={noticeWords.none}>{noticeWords.noneNext}</Empty>
        return (
          <Rows label={noticeWords.sent}>
            {notices.map(({ notice_id: id, subject, text, channel, state, created_at: at }) => (
              <Row
                key={id}
                title={subject}
                detail={
                  <>
                    <span>{relativeMoment(at)}</span>
                    <span className={css.text} style={{ display: 'block' }}>
                      {text}
                    </span>
                  </>
                }
                end={
                  <>
                    <span>{channel === 'sms' ? noticeWords.sms : noticeWords.mail}</span>
                    <State tone={noticeStates[state].tone}>{noticeStates[state].word}</State>
                  </>
                }
              />
            ))}
          </Rows>
        )
      }}
    </MorePages>
  )
}

export default function NoticesScreen() {
  const query = useQuery({
    queryKey: ['notice-choices'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/notices/choices', { signal })),
  })
  return (
    <Page title={noticeWords.title}>
      <Card>
        <Asked query={query}>{(choices) => <ChoicesForm choices={choices} />}</Asked>
      </Card>
      <Section title={noticeWords.sent}>
        <SentNotices />
      </Section>
    </Page>
  )
}
