import { post, type Schema } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { deskOrderWords, reportWords } from '../words/orders.ts'
import type { DeskOrder } from './ask-orders.ts'
import css from './orders.module.css'

type Report = Schema<'DeskOrderReport'>

function Answer({ shown: { order } }: { readonly shown: DeskOrder }) {
  return (
    <Act
      label={reportWords.answer}
      question={reportWords.answerQuestion}
      reason="needed"
      reasonLabel={reportWords.answerLabel}
      reasonHelp={reportWords.answerHelp}
      button={{ variant: 'filled', mt: 12 }}
      topics={['orders', 'accounts']}
      fields={{ found: { kind: 'choice', label: reportWords.found, options: choicesOf(reportWords.foundWords) } }}
      run={(answer, { found }) => post('/desk/api/orders/{order_id}/answer-report', { order_id: order.order_id, answer, found })}
    />
  )
}

/** The reseller's report of an order that did not arrive, and the answer or the form to give one. */
export function OrderReport({ shown, report }: { readonly shown: DeskOrder; readonly report: Report }) {
  const maySettle = useMay('settle_orders')
  const { answer, found, answered_by: answeredBy, reason } = report
  return (
    <Card tone={answer === null ? 'gold' : 'plain'}>
      <b>{deskOrderWords.report}</b>
      <p>
        {report.reported_by} <Moment at={report.reported_at} />
      </p>
      <p className={css.quote}>{reason === '' ? reportWords.nothingSaid : reason}</p>
      {answer === null && maySettle && <Answer shown={shown} />}
      {answer !== null && (
        <>
          <p>
            <b>{found === null ? reportWords.answered : reportWords.foundWords[found]}</b>.{' '}
            {reportWords.answeredBy(answeredBy ?? '')}
          </p>
          <p className={css.quote}>{answer}</p>
          {found === 'not_delivered' && shown.can.adjust && <p className="soft fine">{reportWords.notDeliveredNext}</p>}
        </>
      )}
    </Card>
  )
}
