import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../both/api/use-read.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { orderWords } from '../words/orders.ts'
import type { OrderLine } from './order-state.tsx'
import { VoucherList } from './voucher-list.tsx'

/** The vouchers of an order. Their PINs appear only after a tap, because others may see the screen. */
export function OrderVouchers({ order }: { readonly order: OrderLine }) {
  const [isShown, setShown] = useState(false)
  const query = useRead('vouchers', '/app/api/orders/{order_id}/vouchers', { order_id: order.order_id }, { enabled: isShown })
  return (
    <Section title={orderWords.vouchers}>
      {isShown ? (
        <QueryAnswer query={query} lines={1}>
          {({ vouchers }) => <VoucherList label={orderWords.vouchers} name={goodsWords(order)} vouchers={vouchers} />}
        </QueryAnswer>
      ) : (
        <Button variant="light" onClick={() => setShown(true)}>
          {orderWords.showVouchers}
        </Button>
      )}
    </Section>
  )
}
