import { post, type Schema } from '../../both/api/call-api.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { orderWords } from '../words/orders.ts'

/** The form to report an order as not delivered. After a report: the operator's answer, or that it is awaited. */
export function OrderReport({ shown: { order, report } }: { readonly shown: Schema<'AccountOrder'> }) {
  return (
    <Section title={orderWords.notDelivered}>
      {report === null ? (
        <Card>
          <SendForm
            fields={{ reason: { kind: 'text', label: orderWords.note, lengthMax: 500 } }}
            action={orderWords.report}
            button={{ variant: 'light' }}
            run={({ reason }) => post('/app/api/orders/{order_id}/report', { order_id: order.order_id, reason })}
            topics={['order']}
          >
            <p>{orderWords.notDeliveredWhy}</p>
          </SendForm>
        </Card>
      ) : (
        <Card tone={report.answer === null ? 'gold' : 'plain'}>
          <b>{report.answer === null ? orderWords.reportWaits : `${orderWords.answer}:`}</b>
          {report.answer !== null && <p>{report.answer}</p>}
        </Card>
      )}
    </Section>
  )
}
