import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { Acts, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { problemStates, problemWords as words } from '../words/problems.ts'
import css from './problems.module.css'

type Problem = Schema<'DeskProblem'>
type Props = { readonly problem: Problem; readonly onActed: () => void }

const topics = ['problems'] as const

function Ending({ problem: { problem_id, account_name: account }, onActed }: Props) {
  return (
    <Acts>
      <Act
        label={words.answer}
        question={words.answerQuestion(account)}
        button={{ variant: 'filled' }}
        reason="none"
        fields={{
          answer: { kind: 'text', label: words.answer, help: words.answerHelp, isNeeded: true, lengthMax: 1_000, lines: 4 },
        }}
        run={(_reason, { answer }) => post('/desk/api/problems/{problem_id}/answer', { problem_id, answer })}
        topics={topics}
        onDone={onActed}
      />
      <Act
        label={words.close}
        question={words.closeQuestion(account)}
        reason="needed"
        run={(reason) => post('/desk/api/problems/{problem_id}/close', { problem_id, reason })}
        topics={topics}
        onDone={onActed}
      >
        <p>{words.closeLead}</p>
      </Act>
    </Acts>
  )
}

/**
 * The address of the list of this account's orders with this reference. The reseller typed the reference, so orders of other
 * accounts must not be found.
 */
const ordersOf = ({ account_id: account }: Problem, reference: string) =>
  `/orders?${new URLSearchParams({ account, reference }).toString()}`

/** One problem: the reseller's words, what it is about, and the answer. */
export function ProblemPanel({ id, onActed }: { readonly id: string; readonly onActed: () => void }) {
  const mayAnswer = useMay('manage_accounts')
  const query = useRead('problems', '/desk/api/problems/{problem_id}', { problem_id: id })
  return (
    <QueryAnswer query={query}>
      {(problem) => (
        <Panel title={problem.account_name} state={<StateOf {...problemStates[problem.state]} />}>
          <Card>
            <p className={css.text}>{problem.text}</p>
          </Card>
          {problem.answer !== null && (
            <Card>
              <b>{words.answer}</b>
              <p className={css.text}>{problem.answer}</p>
            </Card>
          )}
          {problem.state === 'waiting' && mayAnswer && <Ending problem={problem} onActed={onActed} />}
          <Facts
            label={words.facts}
            facts={{
              [fieldWords.account]: <Link href={`/accounts/${problem.account_id}`}>{problem.email}</Link>,
              [words.order]: problem.order_reference && (
                <Link href={ordersOf(problem, problem.order_reference)}>{problem.order_reference}</Link>
              ),
              [words.topUp]: problem.top_up_reference && (
                <Link href={`/top-ups?view=all&account=${problem.account_id}`}>{problem.top_up_reference}</Link>
              ),
              [words.requestId]: problem.request_id,
              [words.reportedBy]: problem.reported_by,
              [words.reported]: <Moment at={problem.reported_at} />,
              [words.endedBy]: problem.ended_by,
              [fieldWords.ended]: problem.ended_at && <Moment at={problem.ended_at} />,
            }}
          />
        </Panel>
      )}
    </QueryAnswer>
  )
}
