import { fieldWords } from '../../both/field-words.ts'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount, formatGhs, showPrice } from '../../both/money/format-ghs.ts'
import { Facts } from '../frame/panel.tsx'
import { deskOrderWords } from '../words/orders.ts'
import type { DeskOrder } from './ask-orders.ts'
import { OrderCalls } from './order-calls.tsx'
import css from './orders.module.css'

function factsOf({ order, ...shown }: DeskOrder) {
  const estimate = order.cost_is_estimate ? ` (${deskOrderWords.estimated})` : ''
  const { commission_earned: earned, commission_paid: paid, margin, source, ended_at: endedAt } = shown
  const nextAt = order.next_step_at
  return {
    [fieldWords.price]: <b>{showPrice(order)}</b>,
    [fieldWords.cost]: order.cost !== null && `${formatGhs(order.cost)}${estimate}`,
    [deskOrderWords.commission]: (earned !== 0 || paid !== 0) && `${formatGhs(earned)} / ${formatGhs(paid)}`,
    [fieldWords.margin]: margin !== null && <b>{formatGhs(margin)}</b>,
    [fieldWords.holder]: shown.holder,
    [fieldWords.reference]: order.reference,
    [deskOrderWords.id]: <code>{order.order_id}</code>,
    [fieldWords.placed]: <Moment at={order.created_at} />,
    [deskOrderWords.next]: nextAt && <Moment at={nextAt} />,
    [fieldWords.ended]: endedAt && <Moment at={endedAt} />,
    [deskOrderWords.history]: shown.put_away,
    [fieldWords.boughtWith]: deskOrderWords.sources[source] ?? source,
  }
}

function Messages({ shown: { messages } }: { readonly shown: DeskOrder }) {
  if (messages.length === 0) return null
  return (
    <details className={css.words}>
      <summary>
        {deskOrderWords.told} ({formatCount(messages.length)})
      </summary>
      <ul>
        {messages.map(({ at, kind, channel, state, reason }) => (
          <li key={`${at} ${channel}`}>
            {exactMoment(at)} {deskOrderWords.toldWords[kind] ?? kind}, {channel}: {state}
            {reason !== null && ` (${reason})`}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Details({ shown: { details } }: { readonly shown: DeskOrder }) {
  if (details.length === 0) return null
  return (
    <details className={css.words}>
      <summary>{deskOrderWords.details}</summary>
      <ul>
        {details.map(({ name, value }) => (
          <li key={name}>
            {name}: <b>{value}</b>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The order's money, its moments, its reseller's request, and the notices about it. */
export function OrderFacts({ shown }: { readonly shown: DeskOrder }) {
  return (
    <>
      <Facts label={deskOrderWords.facts} facts={factsOf(shown)} />
      <Details shown={shown} />
      <OrderCalls orderId={shown.order.order_id} />
      <Messages shown={shown} />
    </>
  )
}
