import type { ReactNode } from 'react'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { showPrice } from '../../both/money/show-price.ts'
import { deskOrderWords } from '../words/orders.ts'
import type { DeskOrder } from './ask-orders.ts'
import { OrderCalls } from './order-calls.tsx'
import css from './orders.module.css'

type Fact = readonly [name: string, value: ReactNode]

function moneyFacts({ order, ...shown }: DeskOrder): Fact[] {
  const estimate = order.cost_is_estimate ? ` (${deskOrderWords.estimated})` : ''
  const isEarning = shown.commission_earned !== 0 || shown.commission_paid !== 0
  return [
    [deskOrderWords.price, <b key="price">{showPrice(order)}</b>],
    ...(order.cost === null ? [] : [[deskOrderWords.costFact, `${formatGhs(order.cost)}${estimate}`] as const]),
    ...(isEarning
      ? [[deskOrderWords.commission, `${formatGhs(shown.commission_earned)} / ${formatGhs(shown.commission_paid)}`] as const]
      : []),
    ...(shown.margin === null ? [] : [[deskOrderWords.marginFact, <b key="margin">{formatGhs(shown.margin)}</b>] as const]),
  ]
}

function orderFacts({ order, holder, source, ended_at: endedAt }: DeskOrder): Fact[] {
  const nextAt = order.next_step_at
  return [
    ...(holder === null ? [] : [[deskOrderWords.holder, holder] as const]),
    [deskOrderWords.reference, order.reference],
    [deskOrderWords.id, <code key="id">{order.order_id}</code>],
    [deskOrderWords.placed, <Moment key="placed" at={order.created_at} />],
    ...(nextAt === null ? [] : [[deskOrderWords.next, <Moment key="next" at={nextAt} />] as const]),
    ...(endedAt === null ? [] : [[deskOrderWords.ended, <Moment key="ended" at={endedAt} />] as const]),
    [deskOrderWords.source, deskOrderWords.sources[source] ?? source],
  ]
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
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
      <Facts facts={[...moneyFacts(shown), ...orderFacts(shown)]} />
      <Details shown={shown} />
      <OrderCalls orderId={shown.order.order_id} />
      <Messages shown={shown} />
    </>
  )
}
