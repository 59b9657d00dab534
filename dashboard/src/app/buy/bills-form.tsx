import { useState } from 'react'
import { get, post, type Schema } from '../../both/api/call-api.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { newReference } from '../../both/money/use-reference.ts'
import { groupDigits } from '../../both/phones.ts'
import type { StatedOrder } from '../orders/use-states.ts'
import { useSavedFields } from '../use-saved-fields.ts'
import { buyWords } from '../words/buy.ts'
import { BillAccount, isFresh, type TypedBill } from './bill-account.tsx'
import { Bought, BoughtOrder } from './bought.tsx'
import { BuyForm } from './buy-form.tsx'
import { Chips } from './chips.tsx'
import { ProductScreen } from './product-screen.tsx'
import { RepeatWarning } from './repeat-warning.tsx'
import type { PurchaseState } from './use-kept-purchase.ts'

type BillShop = Schema<'BillShop'>
type Payment = Omit<Schema<'UtilityPayBody'>, 'reference'> & { readonly reference: string }
type Paid = { readonly order: StatedOrder; readonly balance: number | undefined; readonly body: Payment }

const pay = async (body: Payment): Promise<Paid> => {
  const answer = await post('/app/api/bills/pay', body)
  return { order: answer, balance: 'new_balance' in answer ? answer.new_balance : undefined, body }
}

const labelOf = ({ billers }: BillShop, biller: string | undefined) => billers.find(({ key }) => key === biller)?.label ?? ''

function PayBill({ shop, purchase }: { readonly shop: BillShop; readonly purchase: PurchaseState<Payment, Paid> }) {
  const [typed, change] = useSavedFields<TypedBill>('buy.bills', { biller: '', account: '', phone: '' })
  const found = typed.found && isFresh(typed.found) ? typed.found : undefined
  const biller = shop.billers.find(({ key }) => key === typed.biller) ?? shop.billers.find(({ enabled }) => enabled)
  const { amount = 0 } = readAmount(found?.amount ?? '', cedis)
  const [checked, setChecked] = useState<Schema<'CheckedBill'>>()
  const isReady = biller !== undefined && found !== undefined && amount >= shop.min_amount && amount <= shop.max_amount
  const payment = isReady && {
    biller: biller.key,
    account: found.account,
    ...(found.phone !== undefined && { phone: found.phone }),
    amount,
  }
  const label = labelOf(shop, biller?.key)
  const same = checked?.same ? [checked.same] : []
  const prepare = async () => {
    if (payment) setChecked(await post('/app/api/bills/check', payment))
    return true
  }
  return (
    <BuyForm
      product="bills"
      balance={shop.balance}
      what={found && buyWords.billOf(label)}
      total={amount}
      purchase={purchase}
      prepare={prepare}
      question={buyWords.payQuestion(label)}
      to={found ? [{ number: found.account, detail: found.name ?? label }] : []}
      commission={checked?.commission ?? 0}
      goods={payment ? [{ product: 'utilities', item: payment.biller, cost: amount }] : []}
      isAgain={same.length > 0}
      note={<RepeatWarning same={same} of={1} />}
      body={payment ? () => ({ ...payment, reference: newReference() }) : undefined}
    >
      <Chips
        legend={buyWords.biller}
        value={biller?.key}
        onChoose={(value) => change({ biller: value, account: '', phone: '', found: undefined })}
        choices={shop.billers.map(({ key, label, enabled }) => ({
          value: key,
          label,
          isOff: !enabled,
          ...(!enabled && { detail: buyWords.billerOff }),
        }))}
      />
      {biller && <BillAccount key={biller.key} biller={biller} shop={shop} typed={{ ...typed, found }} onTyped={change} />}
    </BuyForm>
  )
}

/** The form for bills. It shows whose account it is and what is due before anything is paid. */
export default function BillsForm() {
  return (
    <ProductScreen
      product="bills"
      read={(signal) => get('/app/api/bills', {}, signal)}
      send={pay}
      result={({ order, body }, shown, shop) => (
        <Bought orders={[{ ...order, paid: body.amount }]} {...shown}>
          <BoughtOrder
            title={`${labelOf(shop, body.biller)} ${groupDigits(body.account)}, ${formatGhs(body.amount)}`}
            order={order}
          />
        </Bought>
      )}
    >
      {(shop, purchase) => <PayBill shop={shop} purchase={purchase} />}
    </ProductScreen>
  )
}
