import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Facts } from '../../both/layout/facts.tsx'
import { lazyOrNothing } from '../../both/layout/load-parts.ts'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs, showPrice } from '../../both/money/format-ghs.ts'
import { canBuyAgain, useBuyAgain } from '../buy-again.ts'
import { Contacts } from '../help/contacts.tsx'
import { useMay } from '../me.ts'
import { useSale } from '../receipts/use-sale.ts'
import { customerWords } from '../words/customers.ts'
import { helpWords } from '../words/help.ts'
import { orderWords, stateWords, stepWords, waitWords } from '../words/orders.ts'
import { priceWords } from '../words/prices.ts'
import { OrderReport } from './order-report.tsx'
import { recipientWords } from './order-row.tsx'
import { OrderState } from './order-state.tsx'
import { OrderSteps } from './order-steps.tsx'
import { OrderVouchers } from './order-vouchers.tsx'
import css from './orders.module.css'
import { isOpen, isUndelivered } from './use-states.ts'

/** Loaded after the order, so that the order does not wait for it. */
const SaleReceipt = lazy(() => import('../receipts/sale-receipt.tsx'))

export type AccountOrder = Schema<'AccountOrder'>

/** The pause between two reads of an open order. */
const askAgainMilliseconds = 5_000

/** An order is late only after this time, even if such orders are usually quicker. */
const lateMinutes = 15

const FailureHelp = lazyOrNothing(() => import('../help/failure-help.tsx'))

/** The text before the recipient, such as `MTN 1GB to `. Empty for a campaign, and for an order without a recipient. */
const goodsTo = (order: AccountOrder['order']): string =>
  order.product === 'sms' || order.recipient === '' ? '' : `${goodsWords(order)} ${orderWords.toCustomer} `

/** The order as a text for a customer: with the price that the customer paid, if it is known, and never with the cost. */
function receiptOf({ order, ended_at: endedAt }: AccountOrder, ownPrice: number | null): string {
  return [
    `${goodsTo(order)}${recipientWords(order)}`,
    ...(ownPrice === null ? [] : [`${fieldWords.amount}: ${formatGhs(ownPrice)}`]),
    `${fieldWords.state}: ${stateWords[order.status].word}`,
    `${fieldWords.placed}: ${exactMoment(order.created_at)}`,
    ...(endedAt === null ? [] : [`${fieldWords.ended}: ${exactMoment(endedAt)}`]),
    `${fieldWords.reference}: ${order.reference}`,
  ].join('\n')
}

function OrderFacts({ shown }: { readonly shown: AccountOrder }) {
  const { order, holder, source, commission, ended_at: endedAt, bought_by: boughtBy } = shown
  const { data: sale } = useSale(order)
  return (
    <Facts
      facts={{
        [fieldWords.amount]: <b>{showPrice(order)}</b>,
        [priceWords.yourPrice]: sale?.own_price != null && formatGhs(sale.own_price),
        [priceWords.youEarn]: sale?.profit != null && <b>{formatGhs(sale.profit)}</b>,
        [fieldWords.recipient]: order.recipient !== '' && order.product !== 'sms' && recipientWords(order),
        [fieldWords.holder]: holder,
        [fieldWords.reference]: order.reference,
        [fieldWords.placed]: <Moment at={order.created_at} />,
        [fieldWords.ended]: endedAt && <Moment at={endedAt} />,
        [fieldWords.boughtWith]: orderWords.sources[source] ?? source,
        [fieldWords.boughtBy]: boughtBy,
        [fieldWords.commission]: commission !== null && formatGhs(commission),
      }}
    />
  )
}

/** The button that buys the same again. It is the main button, unless the order may still be delivered. */
function BuyAgain({ order }: Pick<AccountOrder, 'order'>) {
  const buyAgain = useBuyAgain()
  if (!useMay('buy') || !canBuyAgain(order)) return null
  return (
    <Button variant={isOpen(order) ? 'light' : 'filled'} onClick={() => buyAgain(order)}>
      {customerWords.buyAgain}
    </Button>
  )
}

/** Shows why an order was not delivered, whether its money is back, and a button to buy the same again. */
function Undelivered({ shown: { order, steps } }: { readonly shown: AccountOrder }) {
  const reason = steps.find(({ step }) => step === 'failed')?.reason
  return (
    <>
      {reason && <p className={css.says}>{reason}</p>}
      {order.status === 'refunded' && <b>{stepWords.refunded.words(null)}</b>}
      <div className={css.actions}>
        <BuyAgain order={order} />
      </div>
    </>
  )
}

/** True when an open order takes longer than `lateMinutes`, and longer than twice the usual time. */
function isLate({ order, usual_minutes: usualMinutes }: AccountOrder, now = Date.now()): boolean {
  const late = Math.max(lateMinutes, 2 * (usualMinutes ?? 0))
  return isOpen(order) && now - Date.parse(order.created_at) > late * 60_000
}

function Shown({ shown }: { readonly shown: AccountOrder }) {
  const { order, usual_minutes: usualMinutes } = shown
  const mayBuy = useMay('buy')
  const { data: sale } = useSale(order)
  const hasFailed = isUndelivered(order)
  const isTroubled = hasFailed || isLate(shown)
  const report = (shown.report !== null || (shown.may_report && mayBuy)) && <OrderReport shown={shown} />
  return (
    <>
      <div className={css.big}>
        <OrderState status={order.status} isBig />
        <span className={css.goods}>
          {goodsTo(order)}
          <b>{recipientWords(order)}</b>
        </span>
      </div>
      {hasFailed && <Undelivered shown={shown} />}
      {order.waits_for !== null && <p className={css.says}>{waitWords[order.waits_for]}</p>}
      {usualMinutes !== null && isOpen(order) && <p className={css.says}>{orderWords.usually(usualMinutes)}</p>}
      {isTroubled && (
        <>
          {report}
          {report ? (
            <div className={css.says}>
              <Contacts text={helpWords.aboutOrder(order.reference)} />
            </div>
          ) : (
            <Suspense fallback={null}>
              <FailureHelp order={order.reference} />
            </Suspense>
          )}
        </>
      )}
      <OrderFacts shown={shown} />
      <div className={css.actions}>
        {!hasFailed && (
          <>
            <BuyAgain order={order} />
            <CopyText text={receiptOf(shown, sale?.own_price ?? null)} label={orderWords.copyReceipt} />
          </>
        )}
        <CopyText text={order.reference} label={fieldWords.copyReference} />
      </div>
      {order.product === 'results_checker' && mayBuy && <OrderVouchers order={order} />}
      {order.product !== 'sms' && (
        <Suspense>
          <SaleReceipt order={order} />
        </Suspense>
      )}
      <Section title={orderWords.timeline}>
        <OrderSteps steps={shown.steps} />
      </Section>
      {!isTroubled && report}
    </>
  )
}

export function OrderDetail({ order }: { readonly order: string }) {
  const query = useRead(
    'order',
    '/app/api/orders/{order}',
    { order },
    {
      refetchInterval: ({ state }) => (state.data && isOpen(state.data.order) ? askAgainMilliseconds : false),
    },
  )
  return <QueryAnswer query={query}>{(shown) => <Shown shown={shown} />}</QueryAnswer>
}
