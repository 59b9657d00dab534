import { useState } from 'react'
import { answerOf, api, NoAnswer } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { AmountField } from '../../both/money/amount-field.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { Chips } from './chips.tsx'
import { LinesPurchase } from './lines-purchase.tsx'
import { Shop } from './shop.tsx'
import type { KeptOrder, SendOrders } from './use-lines-purchase.ts'

type AirtimeShop = components['schemas']['AirtimeShop']
type AirtimeNetwork = AirtimeShop['networks'][number]['network']
type AirtimeLine = components['schemas']['AirtimeLinesBody']['lines'][number]

const amounts = ['1', '2', '5', '10', '20', '50']

const check = (lines: AirtimeLine[], signal?: AbortSignal) =>
  answerOf(() => api.POST('/app/api/airtime/check', { body: { lines }, ...(signal && { signal }) }))

const wordsOfOrder = ({ network, size }: KeptOrder) => `${network} ${formatGhs(size)}`

const wordsOf = (orders: readonly KeptOrder[]) => {
  const kinds = new Set(orders.map(wordsOfOrder))
  return kinds.size === 1 ? `${orders.length} × ${[...kinds].join('')}` : buyWords.count(orders.length)
}

const send: SendOrders = async (orders) => {
  const { results, new_balance } = await answerOf(() =>
    api.POST('/app/api/airtime/purchase', {
      body: {
        orders: orders.map(({ network, size, recipient, reference }) => ({
          network: network as AirtimeNetwork,
          beneficiary_phone: recipient,
          amount: size,
          reference,
        })),
      },
    }),
  )
  // If one line may have been placed, the outcome of the whole purchase is unknown; it is sent again later with the same
  // references.
  if (results.some(({ refusal }) => refusal?.reason === 'outcome_unknown')) throw new NoAnswer()
  return {
    results: orders.map((order, index) => ({
      key: order.reference,
      recipient: order.recipient,
      what: wordsOfOrder(order),
      status: results[index]?.order?.status,
      reason: results[index]?.refusal?.message,
    })),
    paid: results.reduce((sum, { order }) => sum + Math.round((order?.total_paid ?? 0) * 100), 0) / 100,
    balance: new_balance ?? undefined,
  }
}

/** The amount, the same for all lines: some usual amounts to tap, or any other. */
function Amounts({
  amount,
  onAmount,
  shop,
}: {
  readonly amount: string
  readonly onAmount: (amount: string) => void
  readonly shop: AirtimeShop
}) {
  const least = Math.min(...shop.networks.map(({ min_amount }) => min_amount))
  const most = Math.max(...shop.networks.map(({ max_amount }) => max_amount))
  return (
    <>
      <Chips
        legend={buyWords.amount}
        value={amount}
        onChoose={onAmount}
        choices={amounts
          .filter((each) => Number(each) >= least && Number(each) <= most)
          .map((each) => ({ value: each, label: each }))}
      />
      <AmountField
        kind={cedis}
        className={css.other ?? ''}
        label={buyWords.otherAmount}
        description={buyWords.amountOf(formatGhs(least), formatGhs(most))}
        text={amount}
        onText={onAmount}
      />
    </>
  )
}

function AirtimeLines({ shop }: { readonly shop: AirtimeShop }) {
  const [written, setWritten] = useState('')
  const { amount } = readAmount(written, cedis)
  return (
    <LinesPurchase<AirtimeLine>
      product="airtime"
      balance={shop.balance}
      hint={buyWords.airtimeHint}
      kind={cedis}
      networks={shop.networks.map(({ network }) => network)}
      lineOf={(line) => {
        const size = line.size ?? amount
        if (size === undefined) return undefined
        const own = line.network as AirtimeNetwork | undefined
        return { recipient: line.recipient, amount: size, is_repeat_meant: line.isRepeatMeant, ...(own && { network: own }) }
      }}
      sizeOf={(line) => line.amount}
      check={check}
      send={send}
      wordsOf={wordsOf}
    >
      <Amounts amount={written} onAmount={setWritten} shop={shop} />
    </LinesPurchase>
  )
}

/** The form for airtime, for one number or many. The network follows from each number. */
export function AirtimeForm() {
  return (
    <Shop product="airtime" read={(signal) => answerOf(() => api.GET('/app/api/airtime', { signal }))}>
      {(shop) => <AirtimeLines shop={shop} />}
    </Shop>
  )
}
