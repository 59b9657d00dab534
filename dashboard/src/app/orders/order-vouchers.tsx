import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { Section } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { orderWords } from '../words/orders.ts'
import css from './orders.module.css'

/** The vouchers of an order. Their PINs appear only after a tap, because others may see the screen. */
export function OrderVouchers({ orderId }: { readonly orderId: string }) {
  const [isShown, setShown] = useState(false)
  const query = useQuery({
    queryKey: ['vouchers', orderId],
    enabled: isShown,
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/app/api/orders/{order_id}/vouchers', { params: { path: { order_id: orderId } }, signal })),
  })
  return (
    <Section title={orderWords.vouchers}>
      {isShown ? (
        <Asked query={query} lines={1}>
          {({ vouchers }) => (
            <>
              <Rows label={orderWords.vouchers}>
                {vouchers.map(({ id, pin, serial_number: serial }) => (
                  <Row
                    key={id}
                    title={<span className={css.voucher}>{pin}</span>}
                    detail={`${orderWords.serial} ${serial}`}
                    end={<CopyText text={pin} label={orderWords.copyPin} />}
                  />
                ))}
              </Rows>
              <div className={css.actions}>
                <CopyText
                  label={orderWords.copyVouchers}
                  text={vouchers
                    .map(({ pin, serial_number: serial }) => `${orderWords.pin} ${pin}, ${orderWords.serial} ${serial}`)
                    .join('\n')}
                />
              </div>
            </>
          )}
        </Asked>
      ) : (
        <Button variant="light" onClick={() => setShown(true)}>
          {orderWords.showVouchers}
        </Button>
      )}
    </Section>
  )
}
