import type { AnswerOf } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { useMay } from '../me.ts'
import { problemStates, helpWords as words } from '../words/help.ts'
import { Contacts } from './contacts.tsx'
import css from './help.module.css'
import { ReportForm } from './report-form.tsx'

type Problem = AnswerOf<'/app/api/problems'>['problems'][number]

/** The pause between two reads while a problem waits for its answer. */
const readAgainMilliseconds = 30_000

function ProblemRow({ problem }: { readonly problem: Problem }) {
  const { text, state, answer, order_reference: order, top_up_reference: topUp, reported_at: at } = problem
  const about = [order && words.about(words.order, order), topUp && words.about(words.topUp, topUp)].filter(Boolean)
  return (
    <Row
      title={<span className={css.text}>{text}</span>}
      detail={
        <>
          <span>{[relativeMoment(at), ...about].join(' · ')}</span>
          {answer !== null && (
            <span className={css.text}>
              <b>{words.answer}:</b> {answer}
            </span>
          )}
          {state === 'closed' && <span className={css.text}>{words.closed}</span>}
        </>
      }
      end={<StateOf {...problemStates[state]} />}
    />
  )
}

/** The operator's contacts, the form for a report to the operator, and the state of earlier reports. */
export default function HelpScreen() {
  const mayReport = useMay('report_problems')
  const query = useRead(
    'problems',
    '/app/api/problems',
    {},
    {
      refetchInterval: ({ state: { data } }) =>
        data?.problems.some(({ state }) => state === 'waiting') ? readAgainMilliseconds : false,
    },
  )
  return (
    <Page title={words.title}>
      <Section title={words.reach}>
        <Card>
          <div className={css.reach}>
            <Contacts nobody={words.nobody} />
          </div>
        </Card>
      </Section>
      {mayReport && (
        <Section title={words.report}>
          <Card>
            <ReportForm />
          </Card>
        </Section>
      )}
      <Section title={words.yours}>
        <QueryAnswer query={query}>
          {({ problems }) => (
            <Rows label={words.yours} empty={{ title: words.none, next: words.noneNext }}>
              {problems.map((problem) => (
                <ProblemRow key={problem.problem_id} problem={problem} />
              ))}
            </Rows>
          )}
        </QueryAnswer>
      </Section>
    </Page>
  )
}
