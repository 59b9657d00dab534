import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { orderWords } from '../words/orders.ts'
import type { OrderLine } from './order-state.tsx'
import { VoucherList } from './voucher-list.tsx'

/** The vouchers of an order. Their PINs appear only after a tap, because others may see the screen. */
export function OrderVouchers({ order }: { readonly order: OrderLine }) {
  const [isShown, setShown] = useState(false)
  const { order_id } = order
  const query = useQuery({
    queryKey: ['vouchers', order_id],
    enabled: isShown,
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/app/api/orders/{order_id}/vouchers', { params: { path: { order_id } }, signal })),
  })
  return (
    <Section title={orderWords.vouchers}>
      {isShown ? (
        <Asked query={query} lines={1}>
          {({ vouchers }) => <VoucherList label={orderWords.vouchers} name={goodsWords(order)} vouchers={vouchers} />}
        </Asked>
      ) : (
        <Button variant="light" onClick={() => setShown(true)}>
          {orderWords.showVouchers}
        </Button>
      )}
    </Section>
  )
}
