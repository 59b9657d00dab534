import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { showPrice } from '../../both/money/format-ghs.ts'
import { cedis } from '../../both/money/read-amount.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import look from '../frame/look.module.css'
import { useMay } from '../me.ts'
import { deskOrderWords, stateWords } from '../words/orders.ts'
import type { DeskOrder } from './ask-orders.ts'
import { WaitingProposal } from './order-proposals.tsx'
import css from './orders.module.css'

type Props = { readonly shown: DeskOrder }

const shared = {
  topics: ['orders', 'approvals', 'accounts'],
  reason: 'needed',
  reasonLabel: deskOrderWords.evidence,
  reasonHelp: deskOrderWords.evidenceHelp,
  action: fieldWords.propose,
} as const

/** The order's state before and after the action. */
function Becomes({ shown, after }: Props & { readonly after: string }) {
  const { status } = shown.order
  return (
    <p>
      {fieldWords.theOrder}: <b>{stateWords[status].word}</b> → <b>{after}</b>
    </p>
  )
}

/**
 * Lets the worker take the order's next step now. Needs no confirmation, because the worker would take that step later anyway.
 */
function AskAgain({ shown }: Props) {
  return (
    <ActNow
      label={shown.order.status === 'processing' ? deskOrderWords.ask : deskOrderWords.askHeld}
      run={() => post('/desk/api/ask-orders', { order_ids: [shown.order.order_id] })}
      topics={['orders']}
      done={() => <span className="soft fine">{deskOrderWords.asked1}</span>}
    />
  )
}

function Settle({ shown, outcome }: Props & { readonly outcome: 'completed' | 'failed' }) {
  const { order } = shown
  const price = showPrice(order)
  const label = outcome === 'completed' ? deskOrderWords.delivered : deskOrderWords.failed(price)
  const settle = (evidence: string) => post('/desk/api/orders/{order_id}/settle', { order_id: order.order_id, outcome, evidence })
  return (
    <Act {...shared} label={label} question={`${label}?`} run={settle}>
      <Becomes shown={shown} after={stateWords[outcome === 'completed' ? 'completed' : 'refunded'].word} />
      {outcome === 'failed' && (
        <>
          <p>{deskOrderWords.moneyGoes(price, order.account_name)}</p>
          <p className="soft fine">{deskOrderWords.onlyCertain}</p>
        </>
      )}
      <p className="soft fine">{deskOrderWords.twoPeople}</p>
    </Act>
  )
}

function Refund({ shown }: Props) {
  const { order } = shown
  const price = showPrice(order)
  const refund = () => post('/desk/api/orders/{order_id}/refund', { order_id: order.order_id })
  const label = deskOrderWords.refund(price)
  return (
    <Act label={label} question={`${label}?`} topics={shared.topics} button={{ variant: 'filled' }} run={refund}>
      <Becomes shown={shown} after={stateWords.refunded.word} />
      <p>{deskOrderWords.moneyGoes(price, order.account_name)}</p>
    </Act>
  )
}

function TakeBack({ shown }: Props) {
  const { order } = shown
  const takeBack = (evidence: string) => post('/desk/api/orders/{order_id}/take-back', { order_id: order.order_id, evidence })
  return (
    <Act {...shared} label={deskOrderWords.takeBack} question={`${deskOrderWords.takeBack}?`} run={takeBack}>
      <Becomes shown={shown} after={stateWords.refunded.word} />
      <p>{deskOrderWords.moneyGoes(showPrice(order), order.account_name)}</p>
      <p className="soft fine">{deskOrderWords.stillVouchers}</p>
      <p className="soft fine">{deskOrderWords.twoPeopleMoney}</p>
    </Act>
  )
}

function Adjust({ shown }: Props) {
  const { order_id, account_name: name } = shown.order
  const sendOnce = useSentOnce(`desk-adjust-${order_id}`)
  return (
    <Act
      {...shared}
      label={deskOrderWords.adjust}
      question={`${deskOrderWords.adjust}?`}
      button={{ variant: 'default' }}
      fields={{
        way: {
          kind: 'choice',
          label: deskOrderWords.way,
          options: choicesOf({ give: deskOrderWords.giveTo(name), take: deskOrderWords.takeFrom(name) }),
        },
        amount: {
          kind: 'amount',
          of: cedis,
          label: fieldWords.amountGhs,
          help: deskOrderWords.amountHelp(showPrice(shown.order)),
        },
      }}
      run={(evidence, { way, amount: typed }) => {
        const amount = way === 'give' ? typed : -typed
        return sendOnce((reference) => post('/desk/api/orders/{order_id}/adjust', { order_id, amount, evidence, reference }))
      }}
    >
      <p className="soft fine">{deskOrderWords.twoPeopleMoney}</p>
    </Act>
  )
}

/** The actions on an order that the signed-in person may do. */
export function OrderActs({ shown }: Props) {
  const maySettle = useMay('settle_orders')
  const mayMoveMoney = useMay('manage_money')
  const { can } = shown
  const waiting = shown.proposals.filter(({ state }) => state === 'pending')
  const waits = (...outcomes: string[]) => waiting.some(({ outcome }) => outcomes.includes(outcome))
  const acts = [
    maySettle && can.ask && <AskAgain key="ask" shown={shown} />,
    ...(maySettle && !waits('completed', 'failed')
      ? can.settle.map((outcome) => <Settle key={outcome} shown={shown} outcome={outcome} />)
      : []),
    mayMoveMoney && can.refund && <Refund key="refund" shown={shown} />,
    mayMoveMoney && can.take_back && !waits('refunded') && <TakeBack key="take back" shown={shown} />,
    mayMoveMoney && can.adjust && !waits('adjusted') && <Adjust key="adjust" shown={shown} />,
  ].filter((act) => act !== false)
  if (acts.length === 0 && waiting.length === 0) return null
  return (
    <section className={css.now} aria-labelledby="what-now">
      <h2 id="what-now">{fieldWords.whatNow}</h2>
      {waiting.map((proposal) => (
        <WaitingProposal key={proposal.approval_id} shown={shown} proposal={proposal} />
      ))}
      {maySettle && can.settle.length > 0 && waiting.length === 0 && <p className="soft fine">{deskOrderWords.twoPeople}</p>}
      {acts.length > 0 && <div className={look.acts}>{acts}</div>}
    </section>
  )
}
