import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { deskOrderWords, reportWords } from '../words/orders.ts'
import type { DeskOrder } from './ask-orders.ts'
import css from './orders.module.css'

type Report = components['schemas']['DeskOrderReport']
type Found = NonNullable<Report['found']>

const findings = Object.entries(reportWords.foundWords).map(([value, label]) => ({ value, label }))

function Answer({ shown: { order } }: { readonly shown: DeskOrder }) {
  const [found, setFound] = useState<Found>('delivered')
  const answer = (text: string) =>
    answerOf(() =>
      api.POST('/desk/api/orders/{order_id}/answer-report', {
        params: { path: { order_id: order.order_id } },
        body: { answer: text, found },
      }),
    )
  return (
    <Act
      label={reportWords.answer}
      question={reportWords.answerQuestion}
      reason="needed"
      reasonLabel={reportWords.answerLabel}
      reasonHelp={reportWords.answerHelp}
      button={{ variant: 'filled', mt: 12 }}
      topics={['orders', 'accounts']}
      run={answer}
    >
      <NativeSelect
        label={reportWords.found}
        data={findings}
        value={found}
        onChange={({ currentTarget }) => setFound(currentTarget.value as Found)}
      />
    </Act>
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
          {found === 'not_delivered' && shown.can.adjust && <p className={css.note}>{reportWords.notDeliveredNext}</p>}
        </>
      )}
    </Card>
  )
}
