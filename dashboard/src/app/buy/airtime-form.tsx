import { get, NoAnswer, post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { AmountField } from '../../both/money/amount-field.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { useSavedFields } from '../use-saved-fields.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { Chips } from './chips.tsx'
import { LinesForm } from './lines-form.tsx'
import type { LinesProduct } from './lines-product.ts'
import { LinesScreen, type LinesScreenForm } from './lines-screen.tsx'

type AirtimeShop = Schema<'AirtimeShop'>
type AirtimeNetwork = AirtimeShop['networks'][number]['network']
type AirtimeLine = Schema<'AirtimeLinesBody'>['lines'][number]

const airtime: LinesProduct<AirtimeLine> = {
  product: 'airtime',
  hint: buyWords.airtimeHint,
  kind: cedis,
  check: (lines, signal) => post('/app/api/airtime/check', { lines }, signal),
  send: async (orders) => {
    const sent = orders.map(({ network, size, recipient, reference }) => ({
      network: network as AirtimeNetwork,
      beneficiary_phone: recipient,
      amount: size,
      reference,
    }))
    const { results, new_balance } = await post('/app/api/airtime/purchase', { orders: sent })
    // If one line may have been placed, the outcome of the whole purchase is unknown; it is sent again later with the same
    // references.
    if (results.some(({ refusal }) => refusal?.reason === 'outcome_unknown')) throw new NoAnswer('unknown')
    const outcomes = results.map(({ order, refusal }) => ({
      order: order ?? undefined,
      reason: refusal?.message,
      paid: order?.total_paid ?? 0,
    }))
    return { outcomes, balance: new_balance ?? undefined }
  },
  wordsOf: ({ network, size }) => `${network} ${formatGhs(size)}`,
  itemOf: ({ network }) => network,
}

const usualAmounts = ['1', '2', '5', '10', '20', '50']

type AmountsProps = {
  readonly amount: string
  readonly onAmount: (amount: string) => void
  readonly shop: AirtimeShop
}

/** The amount, the same for all lines: some usual amounts to tap, or any other. */
function Amounts({ amount, onAmount, shop }: AmountsProps) {
  const least = Math.min(...shop.networks.map(({ min_amount }) => min_amount))
  const most = Math.max(...shop.networks.map(({ max_amount }) => max_amount))
  const shown = usualAmounts.filter((each) => Number(each) >= least && Number(each) <= most)
  return (
    <>
      <Chips
        legend={fieldWords.amountGhs}
        value={amount}
        onChoose={onAmount}
        choices={shown.map((each) => ({ value: each, label: each }))}
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

function AirtimeLines({ shop, form }: { readonly shop: AirtimeShop; readonly form: LinesScreenForm<AirtimeLine> }) {
  const [{ amount }, change] = useSavedFields('buy.airtime', { amount: '' })
  return (
    <LinesForm
      {...form}
      networks={shop.networks.map(({ network }) => network)}
      size={readAmount(amount, cedis).amount}
      lineOf={({ recipient, network, size, isRepeatMeant }) => ({
        recipient,
        amount: size,
        is_repeat_meant: isRepeatMeant,
        ...(network && { network: network as AirtimeNetwork }),
      })}
    >
      <Amounts amount={amount} onAmount={(chosen) => change({ amount: chosen })} shop={shop} />
    </LinesForm>
  )
}

/** The form for airtime, for one number or many. A line may name its network; otherwise the network follows from the number. */
export default function AirtimeForm() {
  return (
    <LinesScreen goods={airtime} read={(signal) => get('/app/api/airtime', {}, signal)}>
      {(shop, form) => <AirtimeLines shop={shop} form={form} />}
    </LinesScreen>
  )
}
