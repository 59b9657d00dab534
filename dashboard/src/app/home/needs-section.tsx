import type { Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { dayOf, relativeMoment, showTime } from '../../both/moments/format-moment.ts'
import { recipientWords } from '../orders/order-row.tsx'
import { OrderState } from '../orders/order-state.tsx'
import { homeWords } from '../words/home.ts'

type Needs = Schema<'Home'>['needs']
type NeedyOrders = Needs['orders'][number]

/** The address of one order, or for several the list of orders with that filter. */
function addressOf({ what, count, order }: NeedyOrders): string {
  if (count === 1) return `/orders/${order.order_id}`
  if (what === 'failed') return `/orders?status=refunded&from=${dayOf(new Date())}`
  return what === 'slow' ? '/orders?slow=yes' : `/orders?status=${order.status}`
}

/** The orders that need attention, and the keys that wait for the operator; nothing when there are neither. */
export function NeedsSection({ needs }: { readonly needs: Needs }) {
  if (needs.orders.length + needs.keys.length === 0) return null
  return (
    <Section title={fieldWords.needsYou}>
      <Rows label={fieldWords.needsYou}>
        {needs.orders.map((each) => (
          <Row
            key={each.what}
            title={each.is_more ? homeWords.moreQueued(each.count) : homeWords.needs[each.what](each.count)}
            detail={`${recipientWords(each.order)}, ${goodsWords(each.order)}, ${showTime(each.order.created_at)}`}
            end={each.what === 'slow' ? <State tone="wait">{homeWords.slow}</State> : <OrderState status={each.order.status} />}
            href={addressOf(each)}
          />
        ))}
        {needs.keys.map(({ type, created_at: askedAt }) => (
          <Row
            key={type}
            title={homeWords.keyWaits[type]}
            detail={homeWords.keyNext(relativeMoment(askedAt))}
            end={<State tone="wait">{homeWords.waits}</State>}
          />
        ))}
      </Rows>
    </Section>
  )
}
