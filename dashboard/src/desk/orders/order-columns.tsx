import { fieldWords } from '../../both/field-words.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { State, StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { dayOf, showDay, showTime } from '../../both/moments/format-moment.ts'
import { showPrice } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import look from '../frame/look.module.css'
import { deskOrderWords, stateWords, supplierName, whyWords } from '../words/orders.ts'
import type { DeskOrderLine } from './ask-orders.ts'
import css from './orders.module.css'

/** Groups the digits of a phone number. Other recipients, and those of SMS, stay as they are. */
export function showRecipient({ recipient, product }: Pick<DeskOrderLine, 'recipient' | 'product'>): string {
  // Vouchers can be bought without a recipient.
  if (recipient === '') return deskOrderWords.noRecipient
  return product === 'sms' ? recipient : groupDigits(recipient)
}

/** Shows a time of day, with the date before it unless that is today. */
function Since({ at }: { readonly at: string }) {
  const isToday = dayOf(at) === dayOf(new Date())
  return (
    <time dateTime={at}>
      {!isToday && <span className={look.nowrap}>{showDay(at).replace(/ \d{4}$/, '')}, </span>}
      <span className={look.nowrap}>{showTime(at)}</span>
    </time>
  )
}

/** Why an order waits, as a sign and words. */
export function WaitReason({ why }: { readonly why: NonNullable<DeskOrderLine['why']> }) {
  const { short, tone } = whyWords[why.code]
  return (
    <span className={css.mayWrap}>
      <State tone={tone}>{short(why.since)}</State>
    </span>
  )
}

export function OrderState({ status }: Pick<DeskOrderLine, 'status'>) {
  return <StateOf {...stateWords[status]} />
}

function StateAndWhy({ order: { status, why, is_contradicted: isContradicted } }: { readonly order: DeskOrderLine }) {
  return (
    <span className={css.states}>
      <OrderState status={status} />
      {why && <WaitReason why={why} />}
      {isContradicted && <State tone="fail">{deskOrderWords.onlyWords.contradicted}</State>}
    </span>
  )
}

const since: Column<DeskOrderLine> = { title: fieldWords.since, show: ({ created_at: at }) => <Since at={at} /> }
const account: Column<DeskOrderLine> = { title: fieldWords.account, show: ({ account_name: name }) => name }
const what: Column<DeskOrderLine> = { title: fieldWords.what, show: goodsWords }
const recipient: Column<DeskOrderLine> = {
  title: fieldWords.recipient,
  show: (order) => <span className={look.nowrap}>{showRecipient(order)}</span>,
  isMain: true,
}
const price: Column<DeskOrderLine> = {
  title: deskOrderWords.ghs,
  show: (order) => (order.unit === 'GHS' ? showPrice(order).replace('GHS ', '') : showPrice(order)),
  isFigure: true,
}
const supplier: Column<DeskOrderLine> = {
  title: fieldWords.supplier,
  show: ({ supplier: name }) => (name === null ? '–' : supplierName(name)),
}
const why: Column<DeskOrderLine> = {
  title: deskOrderWords.why,
  show: ({ status, why: reason }) => (reason ? <WaitReason why={reason} /> : <OrderState status={status} />),
}
const state: Column<DeskOrderLine> = { title: fieldWords.state, show: (order) => <StateAndWhy order={order} /> }

/** Beside a panel there is less room: the account and its goods share one cell. */
const whoAndWhat: Column<DeskOrderLine> = {
  title: fieldWords.account,
  show: (order) => (
    <div>
      {order.account_name}
      <div className="soft fine">{goodsWords(order)}</div>
    </div>
  ),
}

/** The columns of both lists. The list of stuck orders shows why each is stuck; the list of all orders also shows the state. */
export const orderColumns = {
  stuck: [since, account, what, recipient, price, supplier, why],
  all: [since, account, what, recipient, price, supplier, state],
  stuckBesidePanel: [since, whoAndWhat, recipient, price, why],
  allBesidePanel: [since, whoAndWhat, recipient, price, state],
} as const satisfies Record<string, readonly Column<DeskOrderLine>[]>
