import { Link } from 'wouter'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { formatGhs, showPrice } from '../../both/money/format-ghs.ts'
import { deskOrderWords, whyWords } from '../words/orders.ts'
import { type DeskOrder, useAskOrder } from './ask-orders.ts'
import { OrderActs } from './order-acts.tsx'
import { OrderState, showRecipient, WaitReason } from './order-columns.tsx'
import { OrderFacts } from './order-facts.tsx'
import { DecidedProposals } from './order-proposals.tsx'
import { OrderReport } from './order-report.tsx'
import { OrderSteps } from './order-steps.tsx'
import css from './orders.module.css'

function Head({ shown: { order } }: { readonly shown: DeskOrder }) {
  const cost = order.cost === null ? '' : ` · ${deskOrderWords.cost} ${formatGhs(order.cost)}`
  return (
    <header className={css.head}>
      <div className={css.headLine}>
        <h2 className={css.headTitle}>
          {goodsWords(order)} → {showRecipient(order)}
        </h2>
        <OrderState status={order.status} />
      </div>
      <p className="soft fine">
        {order.reference} · <Link href={`/accounts/${order.account_id}`}>{order.account_name}</Link> · {showPrice(order)}
        {cost}
      </p>
      {order.why && (
        <p className={css.why}>
          <WaitReason why={order.why} />
          <span className="soft fine">{whyWords[order.why.code].next}</span>
        </p>
      )}
      {order.is_contradicted && <Card tone="bad">{deskOrderWords.contradicted}</Card>}
    </header>
  )
}

function Shown({ shown }: { readonly shown: DeskOrder }) {
  return (
    <>
      <Head shown={shown} />
      {shown.report && <OrderReport shown={shown} report={shown.report} />}
      <OrderSteps shown={shown} />
      <OrderActs shown={shown} />
      <DecidedProposals shown={shown} />
      <Section title={deskOrderWords.facts} end={<CopyText text={shown.order.reference} label={fieldWords.copyReference} />}>
        <OrderFacts shown={shown} />
      </Section>
    </>
  )
}

/** One order, by its id or any reference. */
export function OrderPanel({ order }: { readonly order: string }) {
  return <QueryAnswer query={useAskOrder(order)}>{(shown) => <Shown shown={shown} />}</QueryAnswer>
}
