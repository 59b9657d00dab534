import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type Schema } from '../../both/api/call-api.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/wait.tsx'
import { orderWords } from '../words/orders.ts'
import css from './orders.module.css'

/** A button to report an order as not delivered, and the operator's answer. */
export function OrderReport({ shown }: { readonly shown: Schema<'AccountOrder'> }) {
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const reporting = useMutation({
    mutationFn: () =>
      answerOf(() =>
        api.POST('/app/api/orders/{order_id}/report', {
          params: { path: { order_id: shown.order.order_id } },
          body: { reason },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['order'] }),
  })
  const { report } = shown
  return (
    <Section title={orderWords.notDelivered}>
      {report === null ? (
        <Card>
          <p>{orderWords.notDeliveredWhy}</p>
          <form
            className={css.form}
            onSubmit={(event) => {
              event.preventDefault()
              reporting.mutate()
            }}
          >
            <TextInput
              label={orderWords.note}
              maxLength={500}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <Button type="submit" variant="light" loading={reporting.isPending}>
              {orderWords.report}
            </Button>
          </form>
          {reporting.isError && <Failure error={reporting.error} />}
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
